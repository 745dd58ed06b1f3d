import { z } from 'zod'
import { readStored } from './stored-file.ts'

const pixels = z.int().min(-100_000).max(100_000)
const length = z.int().min(1).max(100_000)

const windowStateSchema = z.strictObject({
  x: pixels,
  y: pixels,
  width: length,
  height: length,
  maximised: z.boolean(),
})
/** In the system's own pixels; position and size are those of the window when it isn't maximized. */
export type WindowState = z.infer<typeof windowStateSchema>

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const LEAST = { width: 640, height: 480 }
const USUAL = { width: 1180, height: 800 }

/** The part of its upper edge that must be visible to move a window. */
const HANDLE = { width: 120, height: 32 }

/**
 * Determines where a window opens: at its last position if a display still shows enough of its upper edge
 * to move it, otherwise at the system's default. It's never larger than the display that shows most of it.
 * `displays`: the work area of each, the primary one first.
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
  // The smaller window may no longer be on the display that showed it.
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

/** Null if no state was saved, or it's invalid. */
export function readWindowState(file: string): Promise<WindowState | null> {
  return readStored(file, windowStateSchema, null)
}
