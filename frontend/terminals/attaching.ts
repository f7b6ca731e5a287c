// Commands that open the tmux of this server in a terminal. Pure.

/** `tmux` is the command with its socket, from the server. `=` matches the whole name only. */
export function attachCommand(tmux: string, session: string): string {
  return `${tmux} attach -t ${quoted(`=${session}`)}`
}

export function newSessionCommand(tmux: string): string {
  return `${tmux} new -s my-project`
}

/** For a shell. zsh expands a word that starts with `=`, so that is always quoted. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
