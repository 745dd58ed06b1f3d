/** Formats a count with its noun. The command line is English only. */
export function counted(count: number, one: string, other: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : other}`
}
