/** A count and its noun; the command line speaks English alone. */
export function counted(count: number, one: string, other: string): string {
  return `${String(count)} ${count === 1 ? one : other}`
}
