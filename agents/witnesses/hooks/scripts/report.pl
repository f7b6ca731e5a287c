# Sends one event of an agent to every webtmux server: report.pl DIRECTORY RUNTIME EVENT < payload.
#
# No modules: loading Socket alone takes longer than all of this. The message is described in
# message.py. It never waits for a server: what cannot be sent within SEND_SECONDS is dropped.
use strict;

my $SEND_SECONDS  = 0.02;
my $STDIN_SECONDS = 1;
my $PAYLOAD_LIMIT = 1 << 20;
my $SOCKETS       = 8;
my $ANCESTORS     = 16;
my $MAC           = $^O eq 'darwin';
my $NONBLOCK      = $MAC ? 4 : 2048;

$SIG{PIPE} = 'IGNORE';
alarm 3;    # whatever happens

my ( $directory, $runtime, $event ) = @ARGV;

# The payload is read completely even if nobody listens: the agent must not get a broken pipe.
my $payload = '';
while ( length $payload <= $PAYLOAD_LIMIT ) {
    vec( my $ready = '', 0, 1 ) = 1;
    last unless select( $ready, undef, undef, $STDIN_SECONDS );
    last unless sysread( STDIN, $payload, 1 << 16, length $payload );
}
if ( length $payload > $PAYLOAD_LIMIT ) {
    1 while sysread( STDIN, my $rest, 1 << 16 );
    $payload = '';
}

my @pids;
for ( my $pid = getppid(); $pid > 1 && @pids < $ANCESTORS; ) {
    push @pids, $pid;
    open( my $stat, '<', "/proc/$pid/stat" ) or last;
    ($pid) = ( <$stat> // '' ) =~ /\) \S (\d+)[^)]*$/ or last;
}

my $message = join(
    "\0", 'webtmux-hook-1', $runtime, $event,
    $ENV{TMUX_PANE} // '', $ENV{TMUX} // '', "@pids", $payload
);

# Relative names: the path of a unix socket is limited to about 100 bytes.
chdir $directory or exit 0;
opendir( my $listing, '.' ) or exit 0;
my @sockets = grep { /\.sock$/ } readdir $listing;
splice @sockets, $SOCKETS if @sockets > $SOCKETS;
my $left = $SEND_SECONDS;
for my $name (@sockets) {
    socket( my $socket, 1, 1, 0 ) or next;
    fcntl( $socket, 4, $NONBLOCK ) or next;
    my $path = "$name\0";
    my $address =
      $MAC ? pack( 'C C a*', 2 + length $path, 1, $path ) : pack( 'S a*', 1, $path );
    connect( $socket, $address ) or next;
    my $sent = 0;
    while ( $sent < length $message ) {
        my $count = syswrite( $socket, $message, length($message) - $sent, $sent );
        if ($count) { $sent += $count; next }
        vec( my $ready = '', fileno $socket, 1 ) = 1;
        ( my $found, $left ) = select( undef, $ready, undef, $left );
        last unless $found > 0 && $left > 0;
    }
    close $socket;
}
