// How the program of a pane ended, in words. Pure.
import type { ShownPaneOut } from '../core/generated/socket'

// What shells return for a command that they cannot run.
const MEANINGS: Record<number, string> = {
  126: 'it cannot be executed',
  127: 'it was not found',
}

export function endedText({
  deadStatus,
  deadSignal,
}: Pick<ShownPaneOut, 'deadStatus' | 'deadSignal'>): string {
  if (deadSignal) return `The command was ended by signal ${deadSignal}.`
  const meaning = MEANINGS[deadStatus]
  return `The command ended with status ${deadStatus}${meaning ? `: ${meaning}` : ''}.`
}
