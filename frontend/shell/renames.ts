// Which names a dialog has changed, in the order in which they are sent. Pure.
export type NameKind = 'window' | 'project' | 'session'
export type Names = Record<NameKind, string>
export interface NameChange {
  kind: NameKind
  from: string
  to: string
}

// The project before its session: a project that was never renamed follows the name of its session.
const ORDER: readonly NameKind[] = ['window', 'project', 'session']

/** `values` has no entry for a name that the dialog does not show. */
export function changedNames(before: Names, values: Partial<Record<string, string>>): NameChange[] {
  return ORDER.flatMap((kind) => {
    const to = values[kind]?.trim() ?? before[kind]
    return to === before[kind] ? [] : [{ kind, from: before[kind], to }]
  })
}

export function renamedText(changes: readonly NameChange[]): string {
  return `Renamed ${changes.map(({ kind, from, to }) => `${kind} ${from} to ${to}`).join(', ')}.`
}
