import { expect, test, vi } from 'vitest'
import { draw, elements } from './drawn-hook.ts'

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)

const { Search } = await import('../../src/renderer/ui/shell/palette.tsx')

/** What is pressed in the field of what was drawn. */
function press(drawn: unknown, key: string, isComposing: boolean): void {
  for (const each of elements(drawn)) {
    const pressed = each['onKeyDown']
    if (typeof pressed === 'function') Reflect.apply(pressed, undefined, [{ key, nativeEvent: { isComposing }, preventDefault: () => undefined }])
  }
}

test('Enter that ends what is being composed runs no command, and the next one does', () => {
  const run = vi.fn()
  const search = draw(() => Search({ commands: [{ id: 'one', title: '設定', run }] }))
  press(search.shown(), 'Enter', true)
  expect(run).not.toHaveBeenCalled()
  press(search.shown(), 'Enter', false)
  expect(run).toHaveBeenCalledOnce()
})
