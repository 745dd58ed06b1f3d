import { Chance } from '../chat/chance.ts'
import type { PictureRecipe } from '../media/recipe.ts'
import { dotOf, glyphHeight, glyphWidth, linesOf } from './glyphs.ts'

/** The side of a tile, pixels. A tile has one colour, so that a block of JPEG has one too. */
export const tile = 8
export const paletteSize = 16
/** Of the text, and of what lies under it. */
const [ink, plate] = [15, 0]

export type Colour = readonly [red: number, green: number, blue: number]

/** A picture of sixteen colours. Its first is the background, and transparent where the picture is. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly palette: readonly Colour[]
  readonly transparent: boolean
  /** Tiles of one row after another, each a place in the palette. */
  readonly tiles: Uint8Array
  readonly columns: number
}

/** Hills of colour that the seed chooses, and the text on a plate. @param shift moves the hills: a moment of a film */
export function paint({ seed, text, width, height, transparent }: PictureRecipe, shift = 0): Picture {
  const chance = new Chance(seed)
  const hue = chance.below(360)
  const palette = Array.from({ length: paletteSize }, (_, at) =>
    at === plate
      ? colourOf(hue, 0.5, 0.12)
      : at === ink
        ? colourOf(hue, 0.3, 0.97)
        : colourOf(hue + at * 11, 0.55, 0.25 + at * 0.035),
  )
  const waves = Array.from({ length: 4 }, () => ({
    x: (chance.below(200) - 100) / 900,
    y: (chance.below(200) - 100) / 900,
    at: chance.below(628) / 100,
  }))
  const [columns, rows] = [Math.ceil(width / tile), Math.ceil(height / tile)]
  const tiles = new Uint8Array(columns * rows)
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      const level = waves.reduce((sum, wave) => sum + Math.sin(wave.x * x + wave.y * y + wave.at + shift), 0)
      // The background shows where the hills are lowest.
      tiles[y * columns + x] = level < -2 ? plate : 1 + Math.min(13, Math.floor(((level + 2) / 6) * 14))
    }
  }
  write(tiles, columns, rows, text)
  return { width, height, palette, transparent, tiles, columns }
}

/** Written in the lower left, as large as four lines of it allow. */
function write(tiles: Uint8Array, columns: number, rows: number, text: string): void {
  const scale = Math.max(1, Math.floor(columns / 96))
  const [step, leading] = [(glyphWidth + 1) * scale, (glyphHeight + 2) * scale]
  const lines = linesOf(
    text,
    Math.floor((columns - 4) / step),
    Math.max(1, Math.min(4, Math.floor((rows - 2) / leading))),
  )
  const top = rows - lines.length * leading - scale
  for (let y = top; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      if (y < 0) continue
      const [line, row] = [
        Math.floor((y - top - scale) / leading),
        Math.floor(((y - top - scale) % leading) / scale),
      ]
      const [place, column] = [Math.floor((x - 2) / step), Math.floor(((x - 2) % step) / scale)]
      const set =
        x >= 2 &&
        row >= 0 &&
        row < glyphHeight &&
        column < glyphWidth &&
        dotOf(lines[line]?.charAt(place) || ' ', column, row)
      tiles[y * columns + x] = set ? ink : plate
    }
  }
}

/** HSL to RGB (CSS Color 4). @param hue degrees */
function colourOf(hue: number, saturation: number, lightness: number): Colour {
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12
    return Math.round(
      255 *
        (lightness -
          saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1))),
    )
  }
  return [channel(0), channel(8), channel(4)]
}
