import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'

/** `<vector>/manifest.json`: the stage, the required capabilities and the expected result. */
const manifestForm = z.object({
  id: z.string(),
  stage: z.string(),
  expects: z.object({
    exit_code: z.int(),
    rejection_code: z.union([z.string(), z.array(z.string())]).optional(),
    rejection_stage: z.string().optional(),
  }),
  required_capabilities: z.record(z.string(), z.json()).default({}),
})
export type Manifest = z.infer<typeof manifestForm>

export interface Vector {
  /** Relative to the folder of vectors. */
  readonly name: string
  readonly manifest: Manifest
  /** The unchanged bytes for the adapter's stdin. */
  readonly input: Buffer
  /** The answer's members that must match; {} if the vector specifies none. */
  readonly expected: unknown
}

/** A folder with an invalid vector. */
export interface UnreadableVector {
  readonly name: string
  readonly unreadable: string
}

/** Every folder below `root` with a manifest.json, sorted by name. Throws if `root` isn't a folder. */
export function readVectors(root: string): (Vector | UnreadableVector)[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path === 'manifest.json' || path.endsWith('/manifest.json'))
    .sort()
    .map((path) => readVector(root, join(root, path, '..')))
}

function readVector(root: string, folder: string): Vector | UnreadableVector {
  const name = relative(root, folder)
  const expected = join(folder, 'expected.json')
  try {
    return {
      name,
      manifest: manifestForm.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))),
      input: readFileSync(join(folder, 'input.json')),
      expected: existsSync(expected) ? JSON.parse(readFileSync(expected, 'utf8')) : {},
    }
  } catch (error) {
    return { name, unreadable: String(error) }
  }
}
