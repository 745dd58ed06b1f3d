import { createHash } from 'node:crypto'

/**
 * Whether a release that is handed out to some in a hundred is for this machine too. Decided here, by a random text that never
 * leaves, so whoever hands it out learns only how many fetched it; another release draws others.
 */
export function isHandedOut(version: string, percentage: number, seed: string): boolean {
  const drawn = createHash('sha256').update(`${seed} ${version}`).digest().readUInt32BE(0) / 2 ** 32
  return drawn * 100 < percentage
}
