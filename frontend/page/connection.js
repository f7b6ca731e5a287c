// What the page says about its connection, in words with the way out. Pure.

/**
 * `{tone, text, way}` or null where all is well; `way` is what a person can do: `retry`, `sign-in`.
 * `known` tells what has been seen before: a first connection that is under way is no trouble, and
 * a tmux that was never there is the empty stage's matter.
 */
export function trouble({ status, problem, retryAt }, known, now) {
  if (status === 'refused') return { tone: 'bad', text: 'You are signed out, so nothing here is live.', way: 'sign-in' }
  if (status === 'lost') return { tone: 'bad', text: `The connection is lost. What you type is not sent. ${nextTry(retryAt, now)}`, way: 'retry' }
  if (status === 'connecting' && known.connected) return { tone: 'bad', text: 'The connection is lost. Trying again …', way: '' }
  if (status === 'open' && problem && known.tmux) return { tone: 'warn', text: `tmux is away: ${problem}. The page comes back by itself when tmux does.`, way: '' }
  return null
}

export function nextTry(retryAt, now) {
  const seconds = Math.max(1, Math.ceil((retryAt - now) / 1000))
  return `Next try in ${seconds} s.`
}
