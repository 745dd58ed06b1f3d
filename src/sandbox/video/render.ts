import { paint } from '../image/picture.ts'
import type { Recipe } from '../media/recipe.ts'
import { pictureParameters, sequenceParameters, slice } from './h264.ts'
import { writeMp4 } from './mp4.ts'

const framesPerSecond = 4

/** Hills that move slowly under the words. The samples are not compressed, so few frames change, and little in each. */
export function renderVideo({ picture, seconds }: Extract<Recipe, { kind: 'video' }>): {
  readonly contentType: string
  readonly bytes: Buffer
} {
  const { width, height } = picture
  const whole = (side: number) => Math.ceil(side / 16) * 16
  const paintAt = (frame: number) =>
    paint({ ...picture, width: whole(width), height: whole(height) }, frame * 0.02)
  const frames: Buffer[] = []
  let before: ReturnType<typeof paint> | undefined
  for (let frame = 0; frame < seconds * framesPerSecond; frame += 1) {
    const painted = paintAt(frame)
    frames.push(slice(painted, before, frame))
    before = painted
  }
  const bytes = writeMp4({
    width,
    height,
    framesPerSecond,
    frames,
    sequenceParameters: sequenceParameters(whole(width), whole(height), width, height),
    pictureParameters: pictureParameters(),
  })
  return { contentType: 'video/mp4', bytes }
}
