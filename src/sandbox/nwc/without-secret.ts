/** A connection string as it may be shown again. It stands alone: whoever shows settings loads no curve. */
export function withoutSecret(text: string): string {
  return text.replaceAll(/([?&]secret=)[^&]*/g, '$1********')
}
