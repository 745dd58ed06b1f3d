import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepInFile } from '../../src/main/stored-file.ts'
import { placeOn, reachable, readWindowState } from '../../src/main/window-state.ts'

const laptop = { x: 0, y: 25, width: 1440, height: 875 }
const secondDisplay = { x: 1440, y: 0, width: 2560, height: 1400 }
const state = (x: number, y: number, width = 1000, height = 700) => ({
  x,
  y,
  width,
  height,
  maximised: false,
})

describe('a window is opened', () => {
  it.each([
    [
      'where it was',
      [laptop, secondDisplay],
      state(1800, 200),
      { x: 1800, y: 200, width: 1000, height: 700 },
    ],
    ['anywhere, where its display is gone', [laptop], state(1800, 200), { width: 1000, height: 700 }],
    [
      'anywhere, where too little of its edge is left to take it by',
      [laptop],
      state(1400, 200),
      { width: 1000, height: 700 },
    ],
    [
      'where it was, partly beyond',
      [laptop],
      state(1300, 200),
      { x: 1300, y: 200, width: 1000, height: 700 },
    ],
    [
      'anywhere, where its upper edge is above the display',
      [laptop],
      state(100, -300),
      { width: 1000, height: 700 },
    ],
    [
      'no larger than the display that it is on',
      [laptop],
      state(0, 25, 2560, 1400),
      { x: 0, y: 25, width: 1440, height: 875 },
    ],
    ['as usual, where nothing was kept', [laptop], null, { width: 1180, height: 800 }],
    ['no smaller than can be used', [laptop], state(10, 30, 20, 20), { width: 640, height: 480 }],
  ] as const)('%s', (_how, displays, saved, opened) =>
    expect(placeOn([...displays], saved)).toMatchObject(opened),
  )

  it('where it can be reached, for any saved state and any displays', () => {
    const rectangle = fc.record({
      x: fc.integer({ min: -5000, max: 5000 }),
      y: fc.integer({ min: -5000, max: 5000 }),
      width: fc.integer({ min: 640, max: 5000 }),
      height: fc.integer({ min: 480, max: 3000 }),
    })
    fc.assert(
      fc.property(fc.array(rectangle, { minLength: 1, maxLength: 4 }), rectangle, (displays, saved) => {
        const { x, y, width, height } = placeOn(displays, { ...saved, maximised: false })
        expect(displays.some((display) => width <= display.width && height <= display.height)).toBe(true)
        if (x !== undefined && y !== undefined)
          expect(reachable(displays, { x, y, width, height })).toBe(true)
      }),
    )
  })
})

describe('the saved state of a window', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sotto-window-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is read back', async () => {
    const file = join(folder, 'window.json')
    await keepInFile(file)(state(1, 2))
    expect(await readWindowState(file)).toEqual(state(1, 2))
  })
  it.each([
    '',
    'null',
    '[]',
    '{"x":1}',
    '{"x":1e9,"y":0,"width":800,"height":600,"maximised":false}',
    '{"x":0,"y":0,"width":"800","height":600,"maximised":false}',
    '{"x":0,"y":0,"width":800,"height":600,"maximised":false,"more":1}',
  ])('is ignored if it’s %s', async (text) => {
    const file = join(folder, 'other.json')
    await writeFile(file, text)
    expect(await readWindowState(file)).toBeNull()
  })
  it('is null without a file', async () => {
    expect(await readWindowState(join(folder, 'none.json'))).toBeNull()
  })
})
