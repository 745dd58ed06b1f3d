import { Chance } from '../random.ts'
import type { PictureRecipe } from '../media/generations.ts'

/** The side of a tile in pixels. A tile has one color, so it's one byte of a row in PNG and one block in JPEG. */
export const tile = 8

export type Color = readonly [red: number, green: number, blue: number]

/** A picture of two colors, which differ only in green, so that WebP needs one bit for each pixel. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** The colors of tiles with the values 0 and 1. The first is transparent if the picture is. */
  readonly palette: readonly [Color, Color]
  readonly transparent: boolean
  /** 0 or 1 for each tile, row by row. */
  readonly tiles: Uint8Array
  /** Tiles in a row. */
  readonly columns: number
}

/** "DEMO", row by row from the top. */
const stamp = ['11001110101010', '10101000111101', '10101110101101', '10101000101101', '11001110101010']
const stampWidth = 14

/** Paints hills, whose colors and places depend on the seed, and stamps "DEMO" on them. */
export function paint({ seed, width, height, transparent }: PictureRecipe): Picture {
  const chance = new Chance(seed)
  const [red, blue] = [chance.below(160), chance.below(160)]
  const waves = Array.from({ length: 4 }, () => ({
    x: (chance.below(200) - 100) / 450,
    y: (chance.below(200) - 100) / 450,
    at: chance.below(628) / 100,
  }))
  const [columns, rows] = [Math.ceil(width / tile), Math.ceil(height / tile)]
  const tiles = new Uint8Array(columns * rows)
  const scale = Math.max(1, Math.floor(columns / (2 * stampWidth)))
  const [left, top] = [2 * scale, rows - (stamp.length + 2) * scale]
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      const [column, row] = [Math.floor((x - left) / scale), Math.floor((y - top) / scale)]
      const isPlate = column >= -1 && column <= stampWidth && row >= -1 && row <= stamp.length
      const level = waves.reduce((sum, wave) => sum + Math.sin(wave.x * x + wave.y * y + wave.at), 0)
      tiles[y * columns + x] = (isPlate ? stamp[row]?.charAt(column) === '1' : level > 0.5) ? 1 : 0
    }
  }
  return {
    width,
    height,
    palette: [
      [red, 48, blue],
      [red, 224, blue],
    ],
    transparent,
    tiles,
    columns,
  }
}
