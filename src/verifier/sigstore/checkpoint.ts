import { decodeBase64 } from '../base64.ts'
import { isLogSignature } from './log-signature.ts'
import type { TrustedLog } from './trusted-root.ts'

/** What a log signs of its tree at a moment (C2SP tlog-checkpoint). */
export interface Checkpoint {
  readonly treeSize: number
  readonly rootHash: Buffer
}

/** C2SP signed-note: the text ends with a line feed, then comes an empty line, and then the signatures, each on a line. */
const SEPARATOR = '\n\n'
const SIGNATURE = /^\u2014 (\S+) ([A-Za-z0-9+/=]+)$/
const KEY_ID = 4
const SHA_256 = 32
const TREE_SIZE = /^(0|[1-9]\d{0,14})$/

/**
 * The checkpoint of a signed note that the log signed. Others may sign beside it: witnesses, whom nobody here knows.
 * Undefined where the log did not, or where what it signed is no checkpoint.
 */
export function readCheckpoint(envelope: string, log: TrustedLog): Checkpoint | undefined {
  const [text, signatures, ...others] = envelope.split(SEPARATOR)
  if (text === undefined || !signatures?.endsWith('\n') || others.length > 0) return undefined
  const signature = signatureOf(log, signatures.slice(0, -1).split('\n'))
  if (!signature || !isLogSignature(log, Buffer.from(`${text}\n`), signature)) return undefined
  // Behind these three a log may say more.
  const [_origin, treeSize = '', root = ''] = text.split('\n')
  const rootHash = decodeBase64(root)
  return TREE_SIZE.test(treeSize) && rootHash?.length === SHA_256
    ? { treeSize: Number(treeSize), rootHash }
    : undefined
}

/** The first signature under a name of the log and the beginning of its id; what follows under both is not looked at. */
function signatureOf({ names, id }: TrustedLog, lines: readonly string[]): Buffer | undefined {
  for (const line of lines) {
    const [, name = '', text = ''] = SIGNATURE.exec(line) ?? []
    const bytes = names.includes(name) ? decodeBase64(text) : undefined
    if (bytes?.subarray(0, KEY_ID).equals(id.subarray(0, KEY_ID))) return bytes.subarray(KEY_ID)
  }
  return undefined
}
