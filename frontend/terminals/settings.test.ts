import { expect, test } from 'vitest'
import { SCHEMES, schemeOfBackground } from './colour-schemes'
import { mayResize } from './size-policy'
import { terminalOptions } from './terminal-options'

const at = (attached: number, fitted: boolean, phone = false) => ({ attached, fitted, phone })

test('the size policy says when the page may resize a window', () => {
  expect(mayResize('unattached', at(0, false))).toBe(true)
  expect(mayResize('unattached', at(0, false, true))).toBe(false)
  expect(mayResize('unattached', at(0, true, true))).toBe(true)
  expect(mayResize('click', at(0, false))).toBe(false)
  expect(mayResize('click', at(0, true))).toBe(true)
  expect(mayResize('never', at(0, true))).toBe(false)
  for (const policy of ['unattached', 'click', 'never'] as const) {
    expect(mayResize(policy, at(1, true))).toBe(false)
  }
})

test('every scheme has all colours and a background of its own', () => {
  const backgrounds = SCHEMES.map(({ theme }) => theme.background)
  expect(new Set(backgrounds).size).toBe(SCHEMES.length)
  for (const { theme } of SCHEMES) {
    const colours = Object.values(theme)
    expect(colours).toHaveLength(21)
    for (const colour of colours) expect(colour).toMatch(/^#[0-9a-f]{6}$/)
  }
})

test('a terminal on the background of a scheme has its colours', () => {
  const appearance = { scrollback: 1, cursorBlink: false, fontFamily: 'x' }
  const { theme } = terminalOptions({ ...appearance, background: '#282A36' })
  expect(theme).toBe(schemeOfBackground('#282a36')?.theme)
  expect(terminalOptions({ ...appearance, background: '#ffffff' }).theme.foreground).toBe('#1f2328')
})
