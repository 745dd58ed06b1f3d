import { expect, test, vi } from 'vitest'
import { draw } from './drawn-hook.ts'

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)

const { Search } = await import('../../src/renderer/ui/shell/palette.tsx')

/** What is pressed in the field of what was drawn. */
function press(drawn: unknown, key: string, isComposing: boolean): void {
  for (const each of elements(drawn)) {
    const pressed = each['onKeyDown']
    if (typeof pressed === 'function') Reflect.apply(pressed, undefined, [{ key, nativeEvent: { isComposing }, preventDefault: () => undefined }])
  }
}

/** The properties of an element and of all within it. */
function* elements(drawn: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (Array.isArray(drawn)) for (const each of drawn) yield* elements(each)
  if (typeof drawn !== 'object' || drawn === null || !('props' in drawn)) return
  const { props } = drawn
  if (typeof props !== 'object' || props === null) return
  const members: Readonly<Record<string, unknown>> = { ...props }
  yield members
  yield* elements(members['children'])
}

test('Enter that ends what is being composed runs no command, and the next one does', () => {
  const run = vi.fn()
  const search = draw(() => Search({ commands: [{ id: 'one', title: '設定', run }] }))
  press(search.shown(), 'Enter', true)
  expect(run).not.toHaveBeenCalled()
  press(search.shown(), 'Enter', false)
  expect(run).toHaveBeenCalledOnce()
})
