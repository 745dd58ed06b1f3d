import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../src/renderer')
const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The test skips classes of other libraries (`:global`). */
function classesOf(path: string): ReadonlySet<string> {
  const selectors = read(path)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\{[^{}]*\}/g, '{}')
    .replaceAll(/:global\([^)]*\)/g, '')
  return new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name ?? ''))
}

interface Use {
  readonly by: string
  readonly module: string
  /** Null if the code computes the class name at run time. */
  readonly name: string | null
}

const uses = paths
  .filter((path) => /\.tsx?$/.test(path))
  .flatMap((path): Use[] => {
    const text = read(path)
    return [...text.matchAll(/^import (\w+) from '(\.[^']+\.module\.css)'/gm)].flatMap(
      ([statement, variable = '', from = '']) => {
        const module = join(path, '..', from)
        const rest = text.replace(statement, '')
        return [
          ...rest.matchAll(new RegExp(String.raw`(?<![.\w])${variable}(?:\.(\w+)|\['([\w-]+)'\]|\[)`, 'g')),
        ].map(([, name, quoted]) => ({ by: path, module, name: name ?? quoted ?? null }))
      },
    )
  })

describe('the classes of the window', () => {
  it('are there where they are read', () => {
    expect(uses.length).toBeGreaterThan(500)
    expect(uses.filter(({ module, name }) => name !== null && !classesOf(module).has(name))).toEqual([])
  })

  it('are read where they are there', () => {
    const modules = paths.filter((path) => path.endsWith('.module.css'))
    const unread = modules.flatMap((module) => {
      const moduleUses = uses.filter((use) => use.module === module)
      if (moduleUses.some(({ name }) => name === null)) return []
      return [...classesOf(module)]
        .filter((name) => !moduleUses.some((use) => use.name === name))
        .map((name) => `${module}: .${name}`)
    })
    expect(unread).toEqual([])
  })
})
