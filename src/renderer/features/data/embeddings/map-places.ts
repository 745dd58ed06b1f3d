interface Size {
  readonly width: number
  readonly height: number
}
interface Place {
  readonly x: number
  readonly y: number
}

const MARGIN = 14

/** The position of a point between -1 and 1 on a canvas of this size; a larger y is higher. */
export function placeOn(points: Float32Array, index: number, { width, height }: Size): Place {
  const [x, y] = [points[index * 2] ?? 0, points[index * 2 + 1] ?? 0]
  return {
    x: MARGIN + ((x + 1) / 2) * (width - 2 * MARGIN),
    y: MARGIN + ((1 - y) / 2) * (height - 2 * MARGIN),
  }
}

/** The point nearest to a position; undefined if there are no points. */
export function nearestTo(points: Float32Array, { x, y }: Place, size: Size): number | undefined {
  let [found, least]: [number | undefined, number] = [undefined, Infinity]
  for (let index = 0; index * 2 < points.length; index++) {
    const place = placeOn(points, index, size)
    const distance = (place.x - x) ** 2 + (place.y - y) ** 2
    if (distance < least) [found, least] = [index, distance]
  }
  return found
}

/** The nearest point that lies more in this direction than to its sides; undefined at the edge. */
export function nextTowards(
  points: Float32Array,
  from: number,
  [rightwards, upwards]: readonly [number, number],
): number | undefined {
  let [found, least]: [number | undefined, number] = [undefined, Infinity]
  const [x, y] = [points[from * 2] ?? 0, points[from * 2 + 1] ?? 0]
  for (let index = 0; index * 2 < points.length; index++) {
    const [dx, dy] = [(points[index * 2] ?? 0) - x, (points[index * 2 + 1] ?? 0) - y]
    const along = dx * rightwards + dy * upwards
    const perpendicular = Math.abs(dx * upwards) + Math.abs(dy * rightwards)
    if (index === from || along <= 0 || perpendicular > along) continue
    const distance = dx * dx + dy * dy
    if (distance < least) [found, least] = [index, distance]
  }
  return found
}
