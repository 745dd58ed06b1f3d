const PCR0 = /^[0-9a-f]{96}$/

/** Whether the text is a measurement of an image: 48 bytes of lowercase hex. Zeros aren't one: an enclave in debug mode has them, whatever it runs. */
export function isPcr0(text: string): boolean {
  return PCR0.test(text) && !/^0+$/.test(text)
}
