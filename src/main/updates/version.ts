import { createHash } from 'node:crypto'

/** Releases alone: three numbers, as Semantic Versioning 2.0 writes them. */
export const RELEASE_VERSION = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/

const INSTALLED = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[0-9A-Za-z.-]{1,64})?(\+[0-9A-Za-z.-]{1,64})?$/

/**
 * Whether a release is newer than what is installed. What cannot be read as one is not newer, so that nothing unknown ever
 * takes the place of what runs. An installed prerelease is older than its own release.
 */
export function isNewer(offered: string, installed: string): boolean {
  const wanted = RELEASE_VERSION.exec(offered)
  const present = INSTALLED.exec(installed)
  if (!wanted || !present) return false
  for (const part of [1, 2, 3]) {
    const difference = Number(wanted[part]) - Number(present[part])
    if (difference !== 0) return difference > 0
  }
  return present[4] !== undefined
}

/**
 * Whether a release that is handed out to some in a hundred is for this machine too. Decided here, by a random text that never
 * leaves, so whoever hands it out learns only how many fetched it; another release draws others.
 */
export function isHandedOut(version: string, percentage: number, seed: string): boolean {
  const drawn = createHash('sha256').update(`${seed} ${version}`).digest().readUInt32BE(0) / 2 ** 32
  return drawn * 100 < percentage
}
