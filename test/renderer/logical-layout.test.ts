import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../src/renderer')

/** By file: declarations that name a side of the screen on purpose. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  // CSS has no logical translation, so the switch declares its direction for each writing direction.
  'ui/switch.module.css': ['transform: translateX(14px)', 'transform: translateX(-14px)'],
}

/** Declarations with left or right, or with different left and right sides of a box in a four-value shorthand. */
function sidesOf(css: string): string[] {
  return [...css.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/([\w-]+)\s*:\s*([^;{}]+)[;}]/g)].flatMap(
    ([, property = '', value = '']) => {
      const named =
        /(^|-)(left|right)(-|$)/.test(property) ||
        (/^(text-align|float|clear|transform-origin|justify-\w+)$/.test(property) &&
          /\b(left|right)\b/.test(value)) ||
        /translateX|translate3d/.test(value)
      const [, second, , fourth] = value
        .trim()
        .replace(/\((?:[^()]|\([^()]*\))*\)/g, (call) => call.replaceAll(' ', ''))
        .split(/\s+/)
      const lopsided =
        /^(margin|padding|inset|border-(width|style|color)|scroll-(margin|padding))$/.test(property) &&
        fourth !== undefined &&
        fourth !== second
      return named || lopsided ? [`${property}: ${value.trim()}`] : []
    },
  )
}

test('what names a side is found', () => {
  expect(
    sidesOf(
      '.a { margin-left: 1px; text-align: right } .b { left: 0; padding: 1px 2px 3px 4px; transform: translateX(-50%); border-top-left-radius: 2px; }',
    ),
  ).toHaveLength(6)
  expect(
    sidesOf(
      '/* left: 0; */ .left { margin-inline: 1px; text-align: start; padding: 1px 2px 3px; inset: 0 auto 0 auto; margin: 0 calc(-1 * var(--s5)) calc(-1 * var(--s5)) }',
    ),
  ).toEqual([])
})

test('icons that point to a side are mirrored', () => {
  const styles = readFileSync(join(root, 'ui/style/base.css'), 'utf8')
  const icons = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.tsx'))
    .flatMap(({ parentPath, name }) =>
      [...readFileSync(join(parentPath, name), 'utf8').matchAll(/<(Arrow|Chevron)(Left|Right)\b/g)].map(
        ([, shape = '', side = '']) => `.lucide-${shape}-${side}`.toLowerCase(),
      ),
    )
  expect(icons.length).toBeGreaterThan(8)
  expect([...new Set(icons)].filter((icon) => !styles.includes(icon))).toEqual([])
})

test('styles name start and end, not left and right, so that the window can be mirrored', () => {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    name.endsWith('.css'),
  )
  expect(files.length).toBeGreaterThan(80)
  const found = files.flatMap(({ parentPath, name }) => {
    const file = relative(root, join(parentPath, name)).replaceAll('\\', '/')
    return sidesOf(readFileSync(join(parentPath, name), 'utf8'))
      .filter((rule) => MEANT[file]?.includes(rule) !== true)
      .map((rule) => `${file}: ${rule}`)
  })
  expect(found).toEqual([])
})
