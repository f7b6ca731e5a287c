// Who decides the size of tmux windows, as this browser remembers it. Pure, except for the two functions at
// the end.
import { load, save } from '../core/memory'

/** `never`: tmux decides. `unattached`: this page, if no other terminal shows the window. `click`: only by Fit. */
export type SizePolicy = 'never' | 'unattached' | 'click'

export const SIZE_POLICIES: readonly SizePolicy[] = ['unattached', 'click', 'never']

/** Whether the page may request a size. `fitted`: the user pressed Fit. `phone`: only then, in any case. */
export function mayResize(
  policy: SizePolicy,
  { attached, fitted, phone }: { attached: number; fitted: boolean; phone: boolean },
): boolean {
  if (attached > 0 || policy === 'never') return false
  return fitted || (policy === 'unattached' && !phone)
}

export function sizePolicy(): SizePolicy {
  const stored = load<string>('size-policy', '')
  return SIZE_POLICIES.find((policy) => policy === stored) ?? 'unattached'
}

export function setSizePolicy(policy: SizePolicy): void {
  save('size-policy', policy)
  // Windows request their size again.
  document.dispatchEvent(new CustomEvent('font-changed'))
}
