import type { Recipe } from '../media/generations.ts'
import clips from './clips.json' with { type: 'json' }

/** Seconds that every clip of the file takes. Its values are MP4 files in base64, by width and height. */
const clipSeconds = 5
/** The boxes whose time scale comes after four bytes of version and flags, and two times of four bytes. */
const timedBoxes = ['mvhd', 'mdhd']

/**
 * A simulated clip of the requested size and duration (H.264 in MP4).
 *
 * @returns undefined for a size that no quality and aspect ratio have
 */
export function renderVideo({ picture, seconds }: Extract<Recipe, { kind: 'video' }>):
  | {
      readonly contentType: string
      readonly bytes: Buffer
    }
  | undefined {
  const clip = new Map(Object.entries(clips)).get(`${picture.width}x${picture.height}`)
  if (clip === undefined) return undefined
  const bytes = Buffer.from(clip, 'base64')
  // Fewer units in a second make the same frames last longer.
  for (const box of timedBoxes) {
    const at = bytes.indexOf(box) + 16
    bytes.writeUInt32BE((bytes.readUInt32BE(at) * clipSeconds) / seconds, at)
  }
  return { contentType: 'video/mp4', bytes }
}
