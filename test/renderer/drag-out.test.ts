import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { canDragOut, dragOut } from '../../src/renderer/ui/jobs/drag-out.ts'

beforeEach(() => {
  vi.stubGlobal('location', { href: 'http://127.0.0.1:7788/#/chat/c1' })
  vi.stubGlobal('window', {})
})

/** The data of a drag, which begins with the address of the image, as browsers set it. */
function dragged(file: { name: string; type: string }): ReadonlyMap<string, string> {
  const data = new Map([['text/uri-list', 'http://127.0.0.1:7788/files/token']])
  const dataTransfer: Pick<DataTransfer, 'setData' | 'clearData' | 'effectAllowed'> = {
    effectAllowed: 'all',
    setData: (type, value) => void data.set(type, value),
    clearData: () => data.clear(),
  }
  dragOut({ dataTransfer: dataTransfer as DataTransfer }, file, '/files/token')
  return data
}

afterEach(() => vi.unstubAllGlobals())

test('a dragged image is saved under its name, and its address goes nowhere else', () => {
  expect([...dragged({ name: 'boat.png', type: 'image/png' })]).toEqual([
    ['DownloadURL', 'image/png:boat.png:http://127.0.0.1:7788/files/token'],
  ])
})

test.each(['..\\boat.png', '../boat.png', 'a:http://evil.example/:boat.png', 'bo\nat.png'])(
  'the name %j can’t change the address or the folder',
  (name) => {
    const value = dragged({ name, type: 'image/png' }).get('DownloadURL') ?? ''
    expect(value).toMatch(/^image\/png:[^:/\\\n]+:http:\/\/127\.0\.0\.1:7788\/files\/token$/)
  },
)

test('a type that isn’t one is refused', () => {
  expect(dragged({ name: 'boat.png', type: 'image/png:x' }).has('DownloadURL')).toBe(false)
})

test('the desktop app offers no dragging', () => {
  expect(canDragOut()).toBe(true)
  vi.stubGlobal('window', { desktop: {} })
  expect(canDragOut()).toBe(false)
})
