// @vitest-environment happy-dom
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { isPreviewable } from '../../../src/renderer/ui/jobs/check-preview.ts'
import { GivenPreview } from '../../../src/renderer/ui/jobs/given-preview.tsx'
import { drawInPage, settled } from '../in-page.ts'

/** The header of a PNG that states this size. */
function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(Buffer.from('iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAYAAAA=', 'base64'))
  const view = new DataView(bytes.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return bytes
}

test('an image that may be decoded is shown', async () => {
  const file = new File([png(40, 20)], 'a.png')
  expect(await isPreviewable(file)).toBe(true)
  const { container } = drawInPage(
    createElement(GivenPreview, {
      picked: { state: 'taken', name: 'a.png', source: { uploadId: 'u' }, file },
    }),
  )
  await vi.waitFor(async () => {
    await settled()
    expect(container.querySelector('img')?.src).toMatch(/^blob:/)
  })
})

test.each([
  ['more pixels than may be decoded', png(30_000, 30_000)],
  ['a very long row', png(90_000, 1)],
  ['a size of 0', png(0, 20)],
  ['no size', Uint8Array.of(0x89, 0x50)],
])('an image with %s is never given to the browser', async (_, bytes) => {
  const file = new File([bytes], 'a.png')
  const createAddress = vi.spyOn(URL, 'createObjectURL')
  const read = vi.spyOn(file, 'arrayBuffer')
  const { container } = drawInPage(
    createElement(GivenPreview, {
      picked: { state: 'taken', name: 'a.png', source: { uploadId: 'u' }, file },
    }),
  )
  expect(await isPreviewable(file)).toBe(false)
  expect(read).toHaveBeenCalledTimes(2)
  await settled()
  expect(createAddress).not.toHaveBeenCalled()
  expect(container.querySelector('img')).toBeNull()
})

test('a file that is too large, or can’t be read, has no preview', async () => {
  const large = new File([png(40, 20)], 'a.png')
  Object.defineProperty(large, 'size', { value: 60_000_000 })
  expect(await isPreviewable(large)).toBe(false)
  const moved = new File([png(40, 20)], 'a.png')
  vi.spyOn(moved, 'arrayBuffer').mockRejectedValue(new Error('moved'))
  expect(await isPreviewable(moved)).toBe(false)
})
