/** What the sandbox can be told to do wrong, and what each would be in the world. */
export const sandboxFaults = {
  'other-measurement': 'The enclave runs other code than the release that was logged.',
  'swapped-key': 'Somebody offers an encryption key of their own beside genuine evidence.',
  'debug-guest': 'The enclave was started in debug mode, so its host can read its memory.',
  'old-tcb': 'The machine’s firmware is below the policy’s floor.',
  'expired-vcek': 'The certificate of the machine’s chip has expired.',
  'wrong-repository': 'The release was signed for another repository.',
  'other-host': 'The evidence belongs to another enclave host.',
  'older-release': 'The enclave was rolled back to an older, genuine release.',
  'key-rotation': 'The enclave takes a new key between the proof and the request.',
  'plaintext-200': 'Something answers in the open in the enclave’s place.',
  'cut-inside-frame': 'The answer is cut inside an encrypted frame.',
  'cut-on-frame-boundary': 'The answer is cut between two encrypted frames.',
  'stalled-stream': 'The answer stops and the connection stays open.',
  'status-401': 'The service refuses the key.',
  'status-402': 'The balance is used up.',
  'status-429': 'The service asks to slow down.',
  'status-500-html': 'The service fails with a web page.',
  'oversized-evidence': 'The evidence is far larger than it may be.',
  'gzip-bomb': 'The evidence unpacks to a huge size.',
} as const

export type SandboxFault = keyof typeof sandboxFaults
