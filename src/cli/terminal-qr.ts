import { encode } from 'uqr'

/** Scanners need a margin of four light modules (ISO/IEC 18004:2024, 9.1). */
const QUIET_MODULES = 4
/** A longer text takes the least error correction, so that the code fits into a terminal. */
const LONG_TEXT = 200

/** Black on white in any theme: colors 0 to 15 depend on the theme, 16 and 231 don't. */
const BLACK_ON_WHITE = '\u001b[38;5;16m\u001b[48;5;231m'
const RESET = '\u001b[0m'

/** The background colors of COLORFGBG that are light. */
const LIGHT_BACKGROUND = /(?:^|;)(?:7|15)$/

/** How a terminal shows a QR code. */
interface QrStyle {
  /** Write black on white with escape codes. Without them, the code has the terminal's own colors. */
  readonly colors: boolean
  /** Without colors: whether the terminal writes dark text on a light background. */
  readonly lightBackground: boolean
}

/** A QR code for a terminal. */
interface TerminalQr {
  /** Each with two rows of modules. */
  readonly lines: readonly string[]
  /** In terminal columns. */
  readonly width: number
}

/**
 * Chooses the style for an output.
 *
 * @param isTerminal whether the output is a terminal. Only a terminal has colors, unless the environment forces them
 * @param environment NO_COLOR (no-color.org), FORCE_COLOR and TERM choose colors; COLORFGBG names the background
 */
export function chooseQrStyle(
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): QrStyle {
  return {
    colors: usesColors(isTerminal, environment),
    lightBackground: LIGHT_BACKGROUND.test(environment['COLORFGBG'] ?? ''),
  }
}

/**
 * Uses the rules of Commander, which prints the help. A NO_COLOR that isn't empty turns colors off, also against
 * FORCE_COLOR. FORCE_COLOR turns them on in a file or a pipe too, or off if it is `0` or `false`. TERM=dumb turns them off.
 */
function usesColors(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  const { NO_COLOR: no = '', FORCE_COLOR: force = '', TERM: terminal } = environment
  if (no !== '' || force === '0' || force === 'false') return false
  return force !== '' || (isTerminal && terminal !== 'dumb')
}

/** Draws a QR code with half blocks, so that its modules are about square. The margin is part of it. */
export function drawQr(text: string, { colors, lightBackground }: QrStyle): TerminalQr {
  const { data: modules } = encode(text, { border: QUIET_MODULES, ecc: text.length > LONG_TEXT ? 'L' : 'M' })
  // A block has the color of text. It represents a dark module if text is dark, otherwise for a light one.
  const darkText = colors || lightBackground
  const lines: string[] = []
  for (let y = 0; y < modules.length; y += 2) {
    const lower = modules[y + 1] ?? []
    const line = (modules[y] ?? [])
      .map((dark, x) => halfBlock(dark === darkText, (lower[x] ?? false) === darkText))
      .join('')
    lines.push(colors ? `${BLACK_ON_WHITE}${line}${RESET}` : line)
  }
  return { lines, width: modules.length }
}

function halfBlock(upper: boolean, lower: boolean): string {
  if (upper) return lower ? '█' : '▀'
  return lower ? '▄' : ' '
}
