import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const renderer = join(import.meta.dirname, '../../../../src/renderer')
const withoutComments = (css: string) => css.replaceAll(/\/\*[^]*?\*\//g, '')
const tokens = withoutComments(readFileSync(join(renderer, 'ui/style/tokens.css'), 'utf8'))

type Theme = 'light' | 'dark'
interface Color {
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly alpha: number
}

function parseColor(text: string): Color {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text)
  if (hex) {
    const [red = 0, green = 0, blue = 0] = hex.slice(1).map((pair) => Number.parseInt(pair, 16))
    return { red, green, blue, alpha: 1 }
  }
  const [, red, green, blue, alpha] = /^rgb\((\d+) (\d+) (\d+) \/ ([\d.]+)\)$/.exec(text) ?? []
  if (alpha === undefined) throw new Error(`"${text}" isn’t a color that the test reads`)
  return { red: Number(red), green: Number(green), blue: Number(blue), alpha: Number(alpha) }
}

/** The value of a color token: `light-dark(#…, #…)`, or a reference to another token. */
function colorOf(name: string, theme: Theme): Color {
  const value = new RegExp(String.raw`--${name}:\s*([^;]+);`).exec(tokens)?.[1]?.trim()
  const reference = /^var\(--([\w-]+)\)$/.exec(value ?? '')?.[1]
  if (reference !== undefined) return colorOf(reference, theme)
  const [, light, dark] = /^light-dark\((#\w+|rgb\([^)]*\)), (#\w+|rgb\([^)]*\))\)$/.exec(value ?? '') ?? []
  const text = theme === 'light' ? light : dark
  if (text === undefined) throw new Error(`--${name} has no color for the ${theme} theme`)
  return parseColor(text)
}

function over(top: Color, below: Color): Color {
  const mix = (a: number, b: number) => a * top.alpha + b * (1 - top.alpha)
  return {
    red: mix(top.red, below.red),
    green: mix(top.green, below.green),
    blue: mix(top.blue, below.blue),
    alpha: 1,
  }
}

/** Relative luminance (WCAG 2.2). */
function luminance({ red, green, blue }: Color): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(text: Color, surface: Color): number {
  const [light = 0, dark = 0] = [luminance(text), luminance(surface)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const TEXT = 4.5
/** For the edge of an input, the focus ring and the parts of a chart. */
const GRAPHIC = 3

const surfaces = ['bg', 'bg-side', 'bg-raised', 'bg-sunken', 'bg-bubble']
const inputSurfaces = ['bg', 'bg-side', 'bg-raised', 'bg-sunken']
const states = ['private', 'provider', 'visible', 'blocked']
const syntax = ['keyword', 'string', 'number', 'function', 'type', 'property', 'operator', 'comment'].map(
  (name) => `syntax-${name}`,
)

/** The text or the line, the surface below it, and the least ratio. "a + b" is the layer b on the surface a. */
const pairs: readonly (readonly [string, string, number])[] = [
  ...['ink', 'ink-2', 'ink-3'].flatMap((ink) => [
    ...surfaces.map((surface) => [ink, surface, TEXT] as const),
    ...['bg', 'bg-side', 'bg-raised'].flatMap((surface) =>
      ['hover', 'selected'].map((layer) => [ink, `${surface} + ${layer}`, TEXT] as const),
    ),
  ]),
  ...states.flatMap((state) =>
    ['bg', 'bg-side', 'bg-raised', `${state}-tint`].map((surface) => [state, surface, TEXT] as const),
  ),
  ...syntax.flatMap((name) =>
    ['bg-sunken', 'added-tint', 'removed-tint'].map((surface) => [name, surface, TEXT] as const),
  ),
  ...['bg', 'bg-side', 'bg-raised', 'brand-tint'].map((surface) => ['brand', surface, TEXT] as const),
  // A drop zone while files are dragged over it.
  ...['ink', 'ink-2'].map((ink) => [ink, 'brand-tint', TEXT] as const),
  ...['find', 'find-current'].map((surface) => ['ink', surface, TEXT] as const),
  ['brand-ink', 'brand', TEXT],
  ['brand-ink', 'brand-hover', TEXT],
  ['danger-ink', 'danger', TEXT],
  ['danger', 'bg', TEXT],
  ['danger', 'bg-raised', TEXT],
  ['bg', 'ink', TEXT],
  ['demo', 'demo-tint', TEXT],
  ['added', 'added-tint', TEXT],
  ['removed', 'removed-tint', TEXT],
  ...[1, 2, 3, 4].map((number) => [`maker-${String(number)}`, 'bg-bubble', TEXT] as const),
  ...inputSurfaces.map((surface) => ['line-control', surface, GRAPHIC] as const),
  ...surfaces.map((surface) => ['focus', surface, GRAPHIC] as const),
  ...[1, 2, 3, 4].map((number) => [`chart-${String(number)}`, 'bg', GRAPHIC] as const),
]

describe.each(['light', 'dark'] as const)('the tokens of the %s theme', (theme) => {
  it.each(pairs)('%s on %s has a contrast of at least %s:1', (text, surface, least) => {
    const [base = '', layer] = surface.split(' + ')
    const below = colorOf(base, theme)
    const background = layer === undefined ? below : over(colorOf(layer, theme), below)
    expect(contrast(colorOf(text, theme), background)).toBeGreaterThanOrEqual(least)
  })
})

it('measures what WCAG measures', () => {
  expect(contrast(parseColor('#000000'), parseColor('#ffffff'))).toBeCloseTo(21, 5)
  expect(contrast(parseColor('#777777'), parseColor('#ffffff'))).toBeCloseTo(4.48, 2)
})

describe('the style sheets', () => {
  const sheets = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.css'))
    .map((path) => ({ path, text: withoutComments(readFileSync(join(renderer, path), 'utf8')) }))

  it('use only tokens that exist', () => {
    const defined = new Set(
      sheets.flatMap(({ text }) => [...text.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name)),
    )
    const unknown = sheets.flatMap(({ path, text }) =>
      [...text.matchAll(/var\((--[\w-]+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !name.startsWith('--radix-') && !defined.has(name))
        .map((name) => `${path}: ${name}`),
    )
    expect(unknown).toEqual([])
  })

  it('take every color from a token', () => {
    const literal = sheets
      .filter(({ path }) => !path.endsWith('tokens.css'))
      .flatMap(({ path, text }) =>
        // Paper is white, whatever the theme. A mask has no color.
        [
          ...text
            .replaceAll(/@media print[^]*/g, '')
            .replaceAll(/mask-image:[^;]*/g, '')
            .matchAll(/#[\da-f]{3,8}\b|\brgba?\(/gi),
        ].map(([color]) => `${path}: ${color}`),
      )
    expect(literal).toEqual([])
  })

  it('use the privacy colors for the privacy state only', () => {
    const users = sheets
      .filter(({ text }) => /var\(--(private|provider|visible|blocked)(-tint)?\)/.test(text))
      .map(({ path }) => path.replaceAll('\\', '/'))
    expect(users.sort()).toEqual([
      'features/developer/state-panel.module.css',
      'features/privacy/privacy-sheet.module.css',
      'features/privacy/steps.module.css',
      'features/privacy/verdict-frame.module.css',
      'ui/failure-note.module.css',
      'ui/privacy-mark.module.css',
    ])
  })
})
