import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { ReleaseFileResult } from '../core/core.ts'
import { SottoError } from '../shared/errors.ts'
import { parseStrictJson, type JsonValue } from '../shared/strict-json.ts'

const MAX_BUNDLES = 64

/** Hex SHA-256. Throws release/file-unreadable. */
export async function fileDigest(file: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash)
  } catch (cause) {
    throw new SottoError('release/file-unreadable', { cause })
  }
  return hash.digest('hex')
}

/** One bundle, or one in each line, as GitHub hands them out. Throws release/bundle-unreadable. */
export function attestationsIn(text: string): JsonValue[] {
  try {
    return [parseStrictJson(text)]
  } catch {
    return parseLines(text)
  }
}

function parseLines(text: string): JsonValue[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  try {
    if (lines.length > MAX_BUNDLES) throw new RangeError('too many attestations')
    return lines.map(parseStrictJson)
  } catch (cause) {
    throw new SottoError('release/bundle-unreadable', { cause })
  }
}

/**
 * One valid attestation is enough. If none is valid, returns the result of the one that got furthest.
 * Throws release/bundle-unreadable if there is none.
 */
export async function verifyBest(
  bundles: readonly JsonValue[],
  verify: (bundle: JsonValue) => Promise<ReleaseFileResult>,
): Promise<ReleaseFileResult> {
  const results: ReleaseFileResult[] = []
  for (const bundle of bundles) results.push(await verify(bundle))
  const reached = ({ steps }: ReleaseFileResult): number =>
    steps.filter(({ outcome }) => outcome === 'passed').length
  const [best] = results.sort((a, b) => Number(b.good) - Number(a.good) || reached(b) - reached(a))
  if (!best) throw new SottoError('release/bundle-unreadable')
  return best
}
