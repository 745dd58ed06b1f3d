import jsqr from 'jsqr'

/** Modules are drawn this large before they are read: scanners need more than one pixel. */
const SCALE = 4

export interface Theme {
  /** Whether the terminal writes light text on a dark background. */
  readonly dark: boolean
}

/**
 * Reads the QR code among the lines of a terminal, as a camera sees it in this theme.
 *
 * @returns the text, or undefined if there is no readable code
 */
export function readTerminalQr(written: string, { dark }: Theme): string | undefined {
  const rows = written
    .split(/\r?\n/)
    .filter((line) => /[█▀▄]/.test(line))
    .flatMap((line) => rowsOf(line, dark))
  const width = rows[0]?.length ?? 0
  if (width === 0 || rows.some((row) => row.length !== width)) return undefined
  const data = new Uint8ClampedArray(width * rows.length * SCALE * SCALE * 4)
  for (let y = 0; y < rows.length * SCALE; y++) {
    for (let x = 0; x < width * SCALE; x++) {
      const shade = rows[Math.floor(y / SCALE)]![Math.floor(x / SCALE)]! ? 255 : 0
      data.set([shade, shade, shade, 255], (y * width * SCALE + x) * 4)
    }
  }
  // Many cameras don't try again with inverted colors.
  return jsqr(data, width * SCALE, rows.length * SCALE, { inversionAttempts: 'dontInvert' })?.data
}

/** The upper and the lower half of a line: true for light. */
function rowsOf(line: string, dark: boolean): boolean[][] {
  let [foreground, background] = dark ? [true, false] : [false, true]
  const rows: boolean[][] = [[], []]
  for (const [, escape, character] of line.replaceAll('\u001b', '\n').matchAll(/\n\[([\d;]*)m|(.)/gu)) {
    if (escape === '38;5;16') foreground = false
    else if (escape === '48;5;231') background = true
    else if (escape === '0') [foreground, background] = dark ? [true, false] : [false, true]
    else if (character !== undefined && '█▀▄ '.includes(character)) {
      rows[0]!.push(character === '█' || character === '▀' ? foreground : background)
      rows[1]!.push(character === '█' || character === '▄' ? foreground : background)
    }
  }
  return rows
}
