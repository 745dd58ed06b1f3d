import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const root = join(import.meta.dirname, '..', '..')
const { packages } = z.object({
  packages: z.record(z.string(), z.object({
    version: z.string().optional(), resolved: z.string().optional(), optional: z.boolean().optional(),
    engines: z.union([z.object({ node: z.string().optional() }), z.array(z.string())]).optional(),
    optionalDependencies: z.record(z.string(), z.string()).optional(),
  })),
}).parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))

test('the lockfile names no address', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined && /^\w+:\/\//.test(resolved))).toEqual([])
})

test('no native part is left out by the Node that only installs', () => {
  // npm passes over an optional package whose engines do not name the Node that it runs on, and says nothing. That may be 20, while all
  // that is built runs on the Node that is installed with it: what such a package says of Node is taken out of the lockfile.
  const passedOver = Object.entries(packages).filter(([, { optional, engines }]) => optional === true && engines && !Array.isArray(engines) && /^>=?\s*2[1-9]\b/.test(engines.node ?? ''))
  expect(passedOver.map(([place]) => place)).toEqual([])
})

test('every part that a package has for other machines is in it', () => {
  const names = new Set(Object.keys(packages).map((place) => place.split('node_modules/').at(-1)))
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) => (/@napi-rs\/canvas$|@lingui\/native-tools$/.test(place) ? Object.keys(optionalDependencies).filter((name) => !names.has(name)) : []))
  expect(missing).toEqual([])
})
