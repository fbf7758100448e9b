% SPDX-License-Identifier: GPL-2.0-only
% Makes the sampled system call in a shallow stack and in one that is too deep, while
% hostile_beam.py forges the data by which the frames are found.
-module(hostile).
-export([start/0]).

start() ->
	spawn(fun() -> {shallow(1000000), ok} end),
	spawn(fun() -> {deep(800, 1000000), ok} end),
	io:format("running~n").

shallow(Rounds) ->
	X = again(Rounds),
	{X, shallow}.

deep(0, Rounds) -> again(Rounds), 0;
deep(N, Rounds) -> 1 + deep(N - 1, Rounds).

again(0) -> ok;
again(N) ->
	os:getpid(), os:getpid(), os:getpid(), os:getpid(),
	receive after 1 -> ok end,
	again(N - 1).
