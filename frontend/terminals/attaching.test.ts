// Commands that open the tmux of this server in a terminal.
import { expect, test } from 'vitest'
import { attachCommand, newSessionCommand } from './attaching'

test('commands name the socket in use', () => {
  expect(attachCommand('tmux -L work', 'shop')).toBe("tmux -L work attach -t '=shop'")
  expect(newSessionCommand('tmux -S /run/s')).toBe('tmux -S /run/s new -s my-project')
})

test('the name of a session is one word for the shell', () => {
  expect(attachCommand('tmux', "it's; $(id)")).toBe(`tmux attach -t '=it'\\''s; $(id)'`)
})
