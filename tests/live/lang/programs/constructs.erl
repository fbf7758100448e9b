% SPDX-License-Identifier: GPL-2.0-only
% All kinds of calls in Erlang; a sample is taken in each.
-module(constructs).
-export([main/1, again/1, external/1, init/1, handle_call/3, handle_cast/2, late/2]).
-behaviour(gen_server).
-record(state, {n = 0, list = []}).

main([Rounds]) ->
	probe:start(),
	rounds(list_to_integer(Rounds)),
	probe:stop(),
	init:stop().

rounds(0) -> ok;
rounds(N) ->
	recursion(),
	functions(N),
	higher_order(),
	comprehensions(),
	exceptions(),
	spawned(),
	server(),
	garbage(),
	binaries(),
	numbers(N),
	collections(),
	large_frame(N),
	rounds(N - 1),
	ok.

recursion() ->
	down(20),
	even(9),
	tail(5, []),
	ok.

down(0) -> probe:mark(19), 0;
down(N) -> 1 + down(N - 1).

even(0) -> probe:mark(), true;
even(N) -> not odd(N - 1).

odd(0) -> probe:mark(), true;
odd(N) -> not even(N - 1).

tail(0, List) -> probe:mark(), List;
tail(N, List) -> tail(N - 1, [N | List]).

functions(N) ->
	branch(N),
	branch({N, a}),
	branch([N]),
	last(N),
	apply(?MODULE, external, [N]),
	?MODULE:external(N),
	Module = ?MODULE,
	Module:external(N),
	apply(fun external/1, [N]),
	guarded(N),
	guarded(-N),
	ok.

branch(N) when is_integer(N) ->
	case N rem 3 of
		0 -> probe:mark();
		1 ->
			probe:mark(),
			{probe:mark(), N};
		_ -> [probe:mark() | N]
	end;
branch({N, A}) ->
	X = {N, A, probe:mark()},
	if
		element(1, X) > 0 -> probe:mark(), X;
		true -> probe:mark()
	end;
branch([N]) ->
	A = probe:mark(), B = probe:mark(),
	{A, B, N, probe:mark()}.

last(N) -> last(N, probe:mark()).

% probe:mark/0 is called last: this function has no frame
last(_, _) -> probe:mark().

external(N) ->
	probe:mark(),
	{N, probe:mark()}.

guarded(N) when N > 0, is_integer(N), N rem 2 =:= 0 -> probe:mark(), even;
guarded(N) when abs(N) > 0, byte_size(<<0>>) =:= 1 -> probe:mark(), odd;
guarded(_) -> probe:mark(), zero.

higher_order() ->
	Three = 3,
	lists:map(fun(X) -> probe:mark(), X + Three end, [1, 2]),
	lists:map(fun(X) -> probe:mark(), X end, [1]),
	lists:foldl(fun(X, Sum) -> probe:mark(), X + Sum end, 0, [1, 2]),
	lists:foreach(fun again/1, [1, 2]),
	lists:foreach(fun ?MODULE:again/1, [1]),
	lists:filter(fun(X) -> probe:mark(), X > Three end, [1, 5]),
	lists:sort(fun(A, B) -> probe:mark(), A < B end, [3, 1, 2]),
	lists:keysort(1, [{2, a}, {1, b}]),
	compose(fun(X) -> probe:mark(), X end, fun(X) -> probe:mark(), [X] end),
	Named = fun Loop(0) -> probe:mark(2), done; Loop(N) -> {Loop(N - 1), N} end,
	Named(3),
	curry(1, 2).

again(X) -> probe:mark(), X.

compose(F, G) -> F(G(probe:mark())).

curry(A, B) ->
	F = fun(X) -> fun(Y) -> probe:mark(), X + Y + A end end,
	Inner = F(B),
	{Inner(3), ok}.

comprehensions() ->
	A = [{probe:mark(), X} || X <- [1, 2, 3], X =/= 2],
	B = [{X, Y, probe:mark(max(0, 2 * X + Y - $a - 3))} || X <- [1, 2], Y <- "ab"],
	C = << <<(length([probe:mark(), X]))>> || <<X>> <= <<"ab">> >>,
	{A, B, C}.

exceptions() ->
	try thrower(1)
	catch throw:X -> probe:mark(), X
	after probe:mark()
	end,
	try probe:mark() of
		ok -> probe:mark(), ok
	catch _:_ -> none
	end,
	catch thrower(2),
	{'EXIT', _} = (catch erlang:error(bad)),
	try 1 / zero() catch error:badarith -> probe:mark(), ok end,
	try hd(none()) catch error:badarg:Stack -> probe:mark(), Stack end,
	try unknown_module:function() catch error:undef -> probe:mark() end,
	nested(3),
	probe:mark(),
	ok.

zero() -> length(none()).

none() -> [X || X <- [1], X > 1].

thrower(X) ->
	try probe:mark(), throw(X)
	after probe:mark()
	end.

nested(0) -> throw(probe:mark(2));
nested(N) ->
	try nested(N - 1)
	catch throw:X -> probe:mark(max(0, 2 - N)), case N of 3 -> X; _ -> throw(X) end
	end.

spawned() ->
	Self = self(),
	Pids = [spawn_link(fun() -> worker(Self, N) end) || N <- lists:seq(1, 4)],
	[receive {Pid, done} -> probe:mark() end || Pid <- Pids],
	spawn_link(?MODULE, late, [Self, probe:mark()]),
	receive late -> ok after 5000 -> exit(timeout) end,
	ok.

worker(Parent, N) ->
	receive after N -> ok end,
	probe:mark(),
	Parent ! {self(), done},
	ok.

late(Parent, _) ->
	probe:mark(),
	Parent ! late,
	ok.

server() ->
	{ok, Pid} = gen_server:start_link(?MODULE, 2, []),
	3 = gen_server:call(Pid, {add, 1}),
	gen_server:cast(Pid, mark),
	4 = gen_server:call(Pid, {add, 1}),
	gen_server:stop(Pid),
	ok.

init(N) -> probe:mark(), {ok, #state{n = N}}.

handle_call({add, M}, _, #state{n = N} = State) ->
	probe:mark(),
	{reply, N + M, State#state{n = N + M}}.

handle_cast(mark, #state{list = List} = State) ->
	probe:mark(),
	{noreply, State#state{list = [mark | List]}}.

% The heap moves under the frames: the stack is copied with it.
garbage() ->
	List = lists:seq(1, 20000),
	probe:mark(),
	Sum = grow(300, []),
	probe:mark(),
	erlang:garbage_collect(),
	{length(List), Sum, probe:mark()}.

grow(0, List) -> probe:mark(299), length(List);
grow(N, List) ->
	X = grow(N - 1, [lists:seq(1, 50) | List]),
	X + 1.

binaries() ->
	Bin = list_to_binary(lists:duplicate(100, $a)),
	<<Head:10/binary, Rest/bits>> = Bin,
	probe:mark(),
	Joined = <<Rest/bits, Head/binary, (marked(7)):16, 1.5/float>>,
	parse(Joined, 0).

marked(X) -> probe:mark(), X.

parse(<<X, Y, Rest/binary>>, N) when N < 3 ->
	probe:mark(),
	parse(Rest, N + X - X + Y - Y + 1);
parse(Rest, N) ->
	{byte_size(Rest), N, probe:mark()}.

numbers(N) ->
	Big = (1 bsl 200) * marked(N) + (1 bsl 100) div marked(3),
	Float = 1.5 * marked(2) / (N + 1),
	{Big rem 7, Float, math:sqrt(Float), probe:mark()}.

collections() ->
	Map = #{a => marked(1), {b, c} => 2},
	maps:fold(fun(K, V, Sum) -> probe:mark(), {K, V, Sum} end, 0, Map),
	maps:map(fun(_, V) -> probe:mark(), V end, Map),
	Table = ets:new(table, []),
	ets:insert(Table, [{N, N} || N <- lists:seq(1, 3)]),
	ets:foldl(fun({N, _}, Sum) -> probe:mark(), N + Sum end, 0, Table),
	ets:delete(Table),
	put(key, marked(value)),
	{get(key), Map#{a := marked(5)}}.

% Many variables are alive during calls.
large_frame(N) ->
	A = marked(N), B = marked(A), C = marked(B), D = marked(C), E = marked(D),
	F = marked(E), G = marked(F), H = marked(G), I = marked(H), J = marked(I),
	K = [marked(X) || X <- [A, B]],
	{A, B, C, D, E, F, G, H, I, J, K, probe:mark()}.
