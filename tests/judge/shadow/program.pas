{ SPDX-License-Identifier: GPL-2.0-only }
{ Recursion, virtual methods and strings that the runtime allocates. }
program shadowed;

{$mode objfpc}

type
	TShape = class
		function Area(N: LongInt): LongInt; virtual;
	end;
	TSquare = class(TShape)
		function Area(N: LongInt): LongInt; override;
	end;

function Fibonacci(N: LongInt): LongInt;
begin
	if N < 2 then
		Fibonacci := N
	else
		Fibonacci := Fibonacci(N - 1) + Fibonacci(N - 2);
end;

function TShape.Area(N: LongInt): LongInt;
begin
	Area := Fibonacci(N);
end;

function TSquare.Area(N: LongInt): LongInt;
begin
	Area := inherited Area(N) * N;
end;

var
	Shapes: array[0..1] of TShape;
	I, Sum: LongInt;
	Digits, Text: AnsiString;
begin
	Shapes[0] := TShape.Create;
	Shapes[1] := TSquare.Create;
	Sum := 0;
	Text := '';
	for I := 1 to 60 do begin
		Sum := Sum + Shapes[I and 1].Area(I and 7);
		Str(Sum, Digits);
		Text := Text + Digits;
	end;
	WriteLn(Length(Text));
end.
