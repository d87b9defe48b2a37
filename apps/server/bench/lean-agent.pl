# An ACP v1 agent of a few megabytes, so that a thousand fit: answers each prompt with how long ago it was sent, in ns.
use strict;
use warnings;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

$| = 1;
my $log = shift @ARGV;
sub say_line { print "{\"jsonrpc\":\"2.0\",$_[0]}\n" }

while (my $line = <STDIN>) {
  my ($id) = $line =~ /"id":(\d+)/;
  my ($method) = $line =~ /"method":"([\w\/]+)"/;
  next unless defined $id && defined $method;
  if ($method eq 'initialize') {
    say_line "\"id\":$id,\"result\":{\"protocolVersion\":1,\"agentCapabilities\":{}}";
  } elsif ($method eq 'session/new') {
    say_line "\"id\":$id,\"result\":{\"sessionId\":\"s\"}";
  } elsif ($method eq 'session/prompt') {
    if ($log && $line =~ /"text":"at (\d+)"/) {
      open my $file, '>>', $log or die $!;
      printf $file "%d\n", clock_gettime(CLOCK_MONOTONIC) * 1e9 - $1;
      close $file;
    }
    say_line '"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"here"}}}';
    say_line "\"id\":$id,\"result\":{\"stopReason\":\"end_turn\"}";
  } else {
    say_line "\"id\":$id,\"result\":{}";
  }
}
