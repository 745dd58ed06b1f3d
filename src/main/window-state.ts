import { readFile } from 'node:fs/promises'
import { z } from 'zod'

const pixels = z.int().min(-100_000).max(100_000)
const length = z.int().min(1).max(100_000)

const windowStateSchema = z.strictObject({
  x: pixels,
  y: pixels,
  width: length,
  height: length,
  maximised: z.boolean(),
})
/** In the system's own pixels; place and size are those of the window when it is not maximised. */
export type WindowState = z.infer<typeof windowStateSchema>

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const LEAST = { width: 640, height: 480 }
const USUAL = { width: 1180, height: 800 }

/** By this much of its upper edge a window can be taken and moved. */
const HANDLE = { width: 120, height: 32 }

/**
 * Where a window is opened: where it was, as far as a display still shows enough of its upper edge to take it by; else
 * wherever the system puts a new one. It is never larger than the display that shows most of it. `displays`: what each has
 * beside its bars, the primary one first.
 */
export function placeOn(
  displays: readonly Rectangle[],
  state: WindowState | null,
): { x?: number; y?: number; width: number; height: number } {
  const [primary] = displays
  const wanted = state ?? USUAL
  const shown = state && displays.find((display) => holds(display, state))
  const display = shown || primary
  const size = {
    width: Math.max(LEAST.width, Math.min(wanted.width, display?.width ?? wanted.width)),
    height: Math.max(LEAST.height, Math.min(wanted.height, display?.height ?? wanted.height)),
  }
  // Made smaller, it may have drawn back from the display that showed it.
  return state && shown && holds(shown, { x: state.x, y: state.y, ...size })
    ? { x: state.x, y: state.y, ...size }
    : size
}

/** Whether a display still shows enough of it. */
export function reachable(displays: readonly Rectangle[], window: Rectangle): boolean {
  return displays.some((display) => holds(display, window))
}

function holds(display: Rectangle, window: Rectangle): boolean {
  const overlap = Math.min(window.x + window.width, display.x + display.width) - Math.max(window.x, display.x)
  return (
    overlap >= Math.min(HANDLE.width, window.width) &&
    window.y >= display.y &&
    window.y + HANDLE.height <= display.y + display.height
  )
}

/** Null where none was kept, or it is not what Sotto wrote. */
export async function readWindowState(file: string): Promise<WindowState | null> {
  try {
    return windowStateSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}
