import { decodeBase64 } from '../base64.ts'
import { isSignature } from '../x509/index.ts'
import type { TrustedLog } from './trusted-root.ts'

/** Whether the log signed these bytes. */
export function isLogSignature({ key, hash }: TrustedLog, bytes: Uint8Array, signature: Uint8Array): boolean {
  return isSignature(hash, bytes, key, signature)
}

/** A log's signed statement about its tree at a moment (C2SP tlog-checkpoint). */
export interface Checkpoint {
  readonly treeSize: number
  readonly rootHash: Buffer
}

/**
 * C2SP signed-note: the text ends with a line feed, then comes an empty line, and then the signatures, each
 * on a line.
 */
const SEPARATOR = '\n\n'
const SIGNATURE = /^\u2014 (\S+) ([A-Za-z0-9+/=]+)$/
const KEY_ID = 4
const SHA_256 = 32
const TREE_SIZE = /^(0|[1-9]\d{0,14})$/

/**
 * Returns the checkpoint of a signed note, or undefined if the log didn't sign it or the text isn't a
 * checkpoint. Additional signatures, such as those of witnesses, are ignored because their keys are unknown.
 */
export function readCheckpoint(envelope: string, log: TrustedLog): Checkpoint | undefined {
  const [text, signatures, ...others] = envelope.split(SEPARATOR)
  if (text === undefined || !signatures?.endsWith('\n') || others.length > 0) return undefined
  const signature = signatureOf(log, signatures.slice(0, -1).split('\n'))
  if (!signature || !isLogSignature(log, Buffer.from(`${text}\n`), signature)) return undefined
  // A log may append more lines after these three.
  const [_origin, treeSize = '', root = ''] = text.split('\n')
  const rootHash = decodeBase64(root)
  return TREE_SIZE.test(treeSize) && rootHash?.length === SHA_256
    ? { treeSize: Number(treeSize), rootHash }
    : undefined
}

/**
 * Returns the first signature with a name of the log and the start of its id. Later ones with both are
 * ignored.
 */
function signatureOf({ names, id }: TrustedLog, lines: readonly string[]): Buffer | undefined {
  for (const line of lines) {
    const [, name = '', text = ''] = SIGNATURE.exec(line) ?? []
    const bytes = names.includes(name) ? decodeBase64(text) : undefined
    if (bytes?.subarray(0, KEY_ID).equals(id.subarray(0, KEY_ID))) return bytes.subarray(KEY_ID)
  }
  return undefined
}
