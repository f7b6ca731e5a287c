// The row on /connect that installs hooks, so that agents started by hand report to webtmux.
import { api } from '../core/api'
import { messageOf } from '../core/events'
import type { HooksOut } from '../core/generated/api'
import { sentence } from '../core/sentence'

const STATES: Record<string, string> = {
  installed: 'installed',
  outdated: 'outdated',
  missing: 'not installed',
  failed: 'cannot be changed',
}

export function addHooks(): void {
  const panel = document.querySelector<HTMLElement>('#hooks')
  const list = panel?.querySelector('ul')
  const status = panel?.querySelector('[role=status]')
  if (!panel || !list || !status) return
  const buttons = [...panel.querySelectorAll('button')]

  const refresh = async (change?: string): Promise<void> => {
    for (const button of buttons) button.disabled = true
    try {
      if (change) await api<HooksOut>('POST', `/hooks/${change}`, { runtimes: [] })
      list.replaceChildren(...items(await api<HooksOut>('GET', '/hooks')))
      status.textContent = ''
      panel.hidden = false
    } catch (error) {
      status.textContent = sentence(messageOf(error))
    } finally {
      for (const button of buttons) button.disabled = false
    }
  }

  for (const button of buttons) button.addEventListener('click', () => void refresh(button.value))
  void refresh()
}

function items({ runtimes }: HooksOut): HTMLElement[] {
  return runtimes.map(({ runtime, state, files, problem }) => {
    const item = document.createElement('li')
    item.dataset['state'] = state
    item.textContent = `${runtime}: ${STATES[state] ?? state}`
    item.title = problem || files.join('\n')
    return item
  })
}
