// @vitest-environment happy-dom
import { render } from 'lit'
import { expect, test, vi } from 'vitest'
import { markdown } from '../board/markdown'
import { html } from '../core/view'
import { coloured } from './code-colours'
import { code, languageOf } from './highlighting'

function shown(content: unknown): HTMLElement {
  const element = document.createElement('div')
  render(html`${content}`, element)
  return element
}

test('code is text in spans with classes, and never markup', () => {
  const element = shown(coloured('const x = "<img src=x onerror=alert(1)>" // done', 'typescript'))
  expect(element.querySelector('.hljs-keyword')?.textContent).toBe('const')
  expect(element.querySelector('.hljs-comment')?.textContent).toBe('// done')
  expect(element.querySelector('img')).toBeNull()
  expect(element.textContent).toBe('const x = "<img src=x onerror=alert(1)>" // done')
  expect(element.querySelector('[style]')).toBeNull()
})

test('an unknown language is no error', () => {
  expect(coloured('a b c', 'klingon')).toBeNull()
})

test('code is plain until its colours are loaded', async () => {
  const loaded = vi.fn()
  expect(code('x = 1', 'python', loaded)).toBe('x = 1')
  await vi.waitFor(() => expect(loaded).toHaveBeenCalled())
  const element = shown(markdown('```python\nx = 1\n```', (text, language) => code(text, language, loaded)))
  expect(element.querySelector('pre .hljs-number')?.textContent).toBe('1')
  const long = 'x = 1\n'.repeat(5000)
  expect(code(long, 'python', loaded)).toBe(long)
})

test('an edit is shown as a diff, a command as a shell line', () => {
  expect(languageOf('Edit', 'a.py\n- old\n+ new')).toBe('diff')
  expect(languageOf('apply_patch', '*** Begin Patch\n+x')).toBe('diff')
  expect(languageOf('Bash', 'make test')).toBe('bash')
  expect(languageOf('Task', '{"prompt": "x"}')).toBe('json')
  expect(languageOf('Read', 'a.py')).toBe('')
})
