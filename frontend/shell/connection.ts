// What the page says about its connection, and what the user can do. Pure.
import { sentence } from '../core/sentence'
import type { StoreState } from '../core/store'

/** `remedy` is what the user can do; empty if nothing. */
export interface ConnectionProblem {
  tone: 'bad' | 'warn'
  text: string
  remedy: 'retry' | 'reload' | 'sign-in' | ''
}

/** What has worked before. */
export interface Known {
  connected: boolean
  tmux: boolean
}

/**
 * The problem to show, or null if all is well. `known`: a first connection attempt is not a problem, and a
 * tmux that never ran is reported by stage-notice.ts.
 */
export function connectionProblem(
  { status, problem, trouble, retryAt }: Pick<StoreState, 'status' | 'problem' | 'trouble' | 'retryAt'>,
  known: Known,
  now: number,
): ConnectionProblem | null {
  if (status === 'refused') {
    return { tone: 'bad', text: 'You are signed out. Sign in to continue.', remedy: 'sign-in' }
  }
  if (status === 'lost') {
    const text = `Connection lost. Keystrokes are not sent. ${nextAttempt(retryAt, now)}`
    return { tone: 'bad', text, remedy: 'retry' }
  }
  if (status === 'connecting' && known.connected) {
    return { tone: 'bad', text: 'Connection lost. Reconnecting…', remedy: '' }
  }
  if (status === 'open' && problem && known.tmux) {
    const text = `tmux is unavailable. ${sentence(problem)} This page reconnects automatically.`
    return { tone: 'warn', text, remedy: '' }
  }
  if (status === 'open' && trouble) {
    const text = `A part of this page is not up to date. ${sentence(trouble)}`
    return { tone: 'warn', text, remedy: 'reload' }
  }
  return null
}

export function nextAttempt(retryAt: number, now: number): string {
  const seconds = Math.max(1, Math.ceil((retryAt - now) / 1000))
  return `Retrying in ${seconds} s.`
}
