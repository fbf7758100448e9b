% SPDX-License-Identifier: GPL-2.0-only
% Sampled anywhere. (The outermost function is rounds/1: main/1 calls it last.) Comments tell which functions of this file a line may call ("%> F,F"; if a
% function calls another one last, that one), and the lines of a function ("%: F +N": this one and
% N more).
-module(spin).
-export([start/0, main/1, external/2]).
-record(state, {n, list = [], map = #{}}).

start() ->
	register(spinning, spawn(?MODULE, main, [1])),
	io:format("running~n").

main(N) -> %: spin:main/1 +2
	rounds(N), %> spin:rounds/1
	ok.

rounds(N) -> %: spin:rounds/1 +17
	State = deep(20, #state{n = N}), %> spin:deep/2
	Funs = funs(N), %> spin:funs/1
	Bytes = bytes(N), %> spin:bytes/1
	Big = numbers(N), %> spin:numbers/1
	Caught = exceptions(N), %> spin:exceptions/1
	Tables = tables(N), %> spin:tables/1
	Garbage = garbage(N), %> spin:garbage/1
	Wide = wide(N), %> spin:wide/1
	Texts = texts(N), %> spin:texts/1
	Even = even(1000), %> spin:even/1,spin:odd/1
	Talk = talk(N), %> spin:talk/1,spin:work/1
	Sorted = sorted(N), %> spin:sorted/1,spin:-sorted/1-fun-1-/2
	keep([State, Funs, Bytes, Big, Caught, Tables, Garbage, Wide, Texts, Even, Talk, Sorted]), %> spin:keep/1
	if
		N > 1000000000 -> ok;
		true -> rounds(N + 1)
	end.

keep(List) -> %: spin:keep/1 +1
	erlang:phash2(List).

deep(0, State) -> %: spin:deep/2 +5
	leaf(200, 0), %> spin:leaf/2
	State;
deep(N, #state{list = List, map = Map} = State) ->
	X = deep(N - 1, State#state{list = [N | List], map = Map#{N => List}}), %> spin:deep/2
	X#state{n = N}.

leaf(0, Sum) -> Sum; %: spin:leaf/2 +1
leaf(N, Sum) -> leaf(N - 1, (Sum * 31 + N) band 65535).

funs(N) -> %: spin:funs/1 +10
	Mapped = lists:map(fun(X) -> work(X) + N end, lists:seq(1, 20)), %> spin:-funs/1-fun-0-/2,spin:work/1
	Folded = lists:foldl(fun(X, Sum) -> work(X) + Sum end, 0, Mapped), %> spin:-funs/1-fun-1-/2,spin:work/1
	Listed = [work(X) || X <- Mapped, X rem 2 =:= 0], %> spin:-funs/1-lc$^2/1-0-/1,spin:work/1
	lists:foreach(fun work/1, Mapped), %> spin:-funs/1-fun-3-/1,spin:work/1
	apply(?MODULE, external, [N, 3]), %> spin:external/2
	Module = ?MODULE,
	Module:external(N, 4), %> spin:external/2
	F = fun ?MODULE:external/2,
	F(1, 2), %> spin:external/2
	{Folded, Listed}.

work(X) -> %: spin:work/1 +3
	A = leaf(20, X), %> spin:leaf/2
	B = leaf(10, A), %> spin:leaf/2
	A + B.

external(A, B) -> %: spin:external/2 +1
	{work(A), work(B)}. %> spin:work/1

bytes(N) -> %: spin:bytes/1 +3
	Bin = << <<X:16>> || X <- lists:seq(1, 100) >>, %> spin:-bytes/1-lbc$^0/2-0-/2
	Parsed = parse(Bin, []), %> spin:parse/2
	{byte_size(iolist_to_binary([Bin, Bin])), length(Parsed), N}.

parse(<<X:16, Rest/binary>>, List) -> %: spin:parse/2 +3
	parse(Rest, [X | List]);
parse(<<>>, List) ->
	lists:reverse(List).

numbers(N) -> %: spin:numbers/1 +3
	Big = lists:foldl(fun(X, Product) -> X * Product end, 1, lists:seq(1, 60)), %> spin:-numbers/1-fun-0-/2
	Float = float_loop(100, 1.5 + N), %> spin:float_loop/2
	{Big div (1 bsl 100), Float}.

float_loop(0, F) -> F; %: spin:float_loop/2 +1
float_loop(N, F) -> float_loop(N - 1, F * 1.0001 + math:sqrt(2.0)).

exceptions(N) -> %: spin:exceptions/1 +12
	A = try thrower(N) %> spin:thrower/1
	catch throw:X -> work(X) %> spin:work/1
	end,
	B = (catch thrower(N)), %> spin:thrower/1
	C = try nested(5) %> spin:nested/1
	catch error:badarith -> work(2) %> spin:work/1
	after work(1) %> spin:work/1
	end,
	D = try always(N) %> spin:always/1
	catch _:_:Stack -> length(Stack)
	end,
	{A, B, C, D}.

thrower(N) -> %: spin:thrower/1 +1
	throw(work(N rem 100)). %> spin:work/1

nested(0) -> zero() / work(0); %: spin:nested/1 +4 %> spin:zero/0,spin:work/1
nested(N) ->
	try nested(N - 1) %> spin:nested/1
	catch error:E -> erlang:error(E)
	end.

zero() -> 0. %: spin:zero/0 +0

always(N) -> %: spin:always/1 +3
	try error(work(N rem 50)) %> spin:work/1
	after work(3) %> spin:work/1
	end.

tables(N) -> %: spin:tables/1 +7
	Table = ets:new(table, [ordered_set]),
	insert(Table, 30), %> spin:insert/2
	Sum = ets:foldl(fun({X, _}, S) -> work(X) + S end, 0, Table), %> spin:-tables/1-fun-0-/2,spin:work/1
	Found = ets:match_object(Table, {'_', 3}),
	ets:delete(Table),
	Map = maps:map(fun(_, V) -> work(V) end, maps:from_list([{X, X} || X <- lists:seq(1, 40)])), %> spin:-tables/1-lc$^1/1-1-/1,spin:-tables/1-fun-2-/2,spin:work/1
	{Sum, Found, maps:size(Map), N}.

insert(_, 0) -> ok; %: spin:insert/2 +2
insert(Table, N) ->
	ets:insert(Table, {N, N rem 7}), insert(Table, N - 1).

garbage(N) -> %: spin:garbage/1 +3
	A = build(50, [N]), %> spin:build/2
	erlang:garbage_collect(),
	length(A).

build(0, List) -> List; %: spin:build/2 +3
build(N, List) ->
	X = build(N - 1, [lists:seq(1, 100) | List]), %> spin:build/2
	[N | X].

% Room for many variables, which have old return addresses in it until they are set.
wide(N) -> %: spin:wide/1 +7
	A = work(N rem 9), B = pair(A), C = pair(B), D = pair(C), %> spin:work/1,spin:pair/1
	E = pair(D), F = pair(E), G = pair(F), H = pair(G), %> spin:pair/1
	I = many(30), %> spin:many/1
	J = pair(H), %> spin:pair/1
	K = case N rem 2 of 0 -> pair(A); 1 -> pair(B) end, %> spin:pair/1
	L = [X || X <- [A, B, C, D], is_integer(X)], %> spin:-wide/1-lc$^0/1-0-/1
	{A, B, C, D, E, F, G, H, I, J, K, L}.

pair(X) -> %: spin:pair/1 +1
	erlang:phash2({X, X}).

many(0) -> 0; %: spin:many/1 +5
many(N) ->
	A = pair(N), B = pair(A), C = pair(B), %> spin:pair/1
	D = pair({A, B, C}), %> spin:pair/1
	E = many(N - 1), %> spin:many/1
	A + B + C + D + E.

texts(N) -> %: spin:texts/1 +5
	Text = io_lib:format("~p ~s ~b", [{N, [a]}, "text", N]),
	Split = string:split(lists:flatten(Text), " ", all),
	Term = binary_to_term(term_to_binary({Split, N})),
	Match = re:run("abcabcabc", "(abc)+$"),
	{Term, Match}.

even(0) -> true; %: spin:even/1 +1
even(N) -> odd(N - 1).

odd(0) -> false; %: spin:odd/1 +1
odd(N) -> even(N - 1).

% Messages to itself: the process is scheduled out only at the end of its time.
talk(N) -> %: spin:talk/1 +4
	self() ! {first, N},
	self() ! {second, N},
	receive {second, N} -> work(1) end, %> spin:work/1
	receive {first, N} -> work(2) after 0 -> ok end.

sorted(N) -> %: spin:sorted/1 +2
	List = [(X * 7919) rem 101 || X <- lists:seq(N rem 10, 60)], %> spin:-sorted/1-lc$^0/1-0-/1
	lists:sort(fun(A, B) -> A * A =< B * B end, List).
