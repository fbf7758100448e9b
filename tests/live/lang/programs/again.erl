% SPDX-License-Identifier: GPL-2.0-only
% Code that is loaded again and again, under other names and with other lines: its memory is
% used again. Versions of a module have the same code, at other lines.
-module(again).
-export([main/1]).
-define(VERSIONS, 12).

main([Rounds]) ->
	probe:start(),
	rounds(list_to_integer(Rounds), [version(N) || N <- lists:seq(1, ?VERSIONS)]),
	probe:stop(),
	init:stop().

rounds(0, _) -> ok;
rounds(N, Versions) ->
	[run(V) || V <- Versions],
	rounds(N - 1, Versions),
	ok.

run({Module, Function, Code}) ->
	code:purge(Module),
	{module, Module} = code:load_binary(Module, "again", Code),
	Module:Function(3),
	code:delete(Module),
	code:purge(Module),
	ok.

% Two modules, with functions of six names.
version(N) ->
	Module = list_to_atom("made_" ++ integer_to_list(N rem 2)),
	Function = list_to_atom("function_" ++ integer_to_list(N rem 6)),
	Line = 10 * N,
	Text = [io_lib:format("-module(~s). -export([~s/1]). ", [Module, Function]),
		lists:duplicate(Line, $\n),
		io_lib:format("~s(0) -> probe:mark(2), 0;\n~s(X) -> 1 + ~s(X - 1).\n", [Function, Function, Function])],
	{ok, Tokens, _} = erl_scan:string(lists:flatten(Text)),
	{ok, Module, Code} = compile:forms([{attribute, 1, file, {"/made/again.erl", 1}} | forms(Tokens, [])], [binary]),
	{Module, Function, Code}.

forms([], []) -> [];
forms([{dot, _} = Dot | Rest], Form) ->
	{ok, Parsed} = erl_parse:parse_form(lists:reverse([Dot | Form])),
	[Parsed | forms(Rest, [])];
forms([Token | Rest], Form) -> forms(Rest, [Token | Form]).
