% SPDX-License-Identifier: GPL-2.0-only
% Writes down Erlang's own idea of a stack, and makes the system call that is sampled.
-module(probe).
-export([start/0, mark/0, mark/1, stop/0]).

% The process that writes the log; each mark waits until its line is written.
start() ->
	erlang:system_flag(backtrace_depth, 1024),
	Name = os:getenv("PROBE_LOG") ++ "." ++ os:getpid(),
	register(probe, spawn(fun() -> {ok, Log} = file:open(Name, [append, raw]), log(Log) end)),
	warm(25).

% Until the process was inspected and its frames are read.
warm(0) -> ok;
warm(N) ->
	os:getpid(),
	timer:sleep(10),
	warm(N - 1),
	ok.

% Names are read while the process is still running.
stop() ->
	timer:sleep(300),
	ok.

log(Log) ->
	receive
		{From, Line} ->
			ok = file:write(Log, [Line, $\n]),
			From ! written,
			log(Log)
	end.

mark() ->
	mark(0),
	ok.

% Erlang's traces have consecutive equal addresses only once. More: how often that is so in the
% caller, which knows how deep it is.
mark(More) ->
	% on one line: the trace has the line of its own call
	{_, Trace} = process_info(self(), current_stacktrace), Own = line(Trace, More), probe ! {self(), Own}, receive written -> ok end, os:getpid(),
	ok.

line(Trace, More) ->
	["{\"more\": ", integer_to_list(More), ", \"stack\": [", lists:join(", ", [frame(F) || F <- Trace]), "]}"].

frame({Module, Function, Arity, Location}) ->
	io_lib:format("[\"~s:~s/~b\", \"~s\", ~b]",
		[Module, Function, Arity, proplists:get_value(file, Location, ""), proplists:get_value(line, Location, 0)]).
