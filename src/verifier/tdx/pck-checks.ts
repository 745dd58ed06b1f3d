import { msg } from '../message.ts'
import { fail, passed, passUnless, Steps, type Finding } from '../steps.ts'
import { validityFinding } from '../validity.ts'
import { CertificateError, certificatesFromPem, type Certificate } from '../x509/index.ts'
import {
  INTERMEDIATE_NAMES,
  verifyIntermediate,
  verifyPck,
  verifyRoot,
  PCK_NAME,
  ROOT_NAME,
} from './chain.ts'
import type { TdxQuote } from './quote.ts'
import { readSgxExtensions, type SgxExtensions } from './sgx-extensions.ts'

export interface PckInput {
  readonly parsed: TdxQuote
  /** DER of Intel's SGX root. */
  readonly root: Uint8Array
  /** Unix ms. */
  readonly now: number
}

/** Intel's chain to the machine's certificate: the pinned root, the issuer of machines, and the machine. */
export const pckSteps = Steps.of<PckInput>()
  .add({
    id: 'pck/certificates',
    title: 'Quote includes the server’s certificate and its two issuers',
    run: ({ parsed }) => readChain(parsed.pckChain),
  })
  .add({
    id: 'intel/root',
    title: 'Intel root certificate is the one Sotto trusts',
    run({ chain, root, now }) {
      const pinned = verifyRoot(root, now)
      if ('fault' in pinned) return fail('intel/root-invalid', ROOT_NAME, pinned.fault)
      const same = Buffer.compare(chain.root, root) === 0
      return passUnless(
        same ? undefined : 'pck/root-untrusted',
        ROOT_NAME,
        same ? ROOT_NAME : msg('another certificate'),
        { pinned },
      )
    },
  })
  .add({
    id: 'intel/intermediate',
    title: 'Issuer of server certificates was certified by the Intel root',
    run({ chain, pinned, now }) {
      const issuers = INTERMEDIATE_NAMES.join(', ')
      const intermediate = verifyIntermediate(chain.intermediate, pinned, now)
      if ('fault' in intermediate) return fail('intel/intermediate-invalid', issuers, intermediate.fault)
      return passed(issuers, msg('certified by Intel’s root'), { intermediate })
    },
  })
  .add({
    id: 'pck/chain',
    title: 'Server’s certificate was issued by Intel',
    run({ chain, intermediate }) {
      const pck = verifyPck(chain.pck, intermediate)
      if ('fault' in pck) return fail('pck/chain-invalid', PCK_NAME, pck.fault)
      return passed(PCK_NAME, PCK_NAME, { pck })
    },
  })
  .add({
    id: 'pck/validity',
    title: 'Server’s certificate is valid now',
    run: ({ pck: { certificate }, now }) =>
      validityFinding(certificate, now, { 'not-yet-valid': 'pck/not-yet-valid', expired: 'pck/expired' }),
  })
  .add({
    id: 'pck/form',
    title: 'Server’s certificate has the fields of an Intel certificate',
    run: ({ pck }) => readMachine(pck.certificate),
  })

export interface CertificateChain {
  readonly pck: Uint8Array
  readonly intermediate: Uint8Array
  readonly root: Uint8Array
}

const CHAIN_LENGTH = 3

/** @param pem as in the quote, with the NUL that ends it in memory */
function readChain(pem: Uint8Array): Finding<{ readonly chain: CertificateChain }> {
  const expected = msg('PEM of three certificates')
  const text = Buffer.from(pem.buffer, pem.byteOffset, pem.byteLength).toString('latin1').replace(/\0$/, '')
  try {
    // Without any certificate the chain is too short, and not malformed.
    const [pck, intermediate, root, ...more] = text.trim() === '' ? [] : certificatesFromPem(text)
    if (pck && intermediate && root && more.length === 0)
      return passed(expected, expected, { chain: { pck, intermediate, root } })
    return fail(
      'pck/chain-length',
      expected,
      more.length > 0 ? msg('{count} certificates', { count: CHAIN_LENGTH + more.length }) : msg('fewer'),
    )
  } catch (error) {
    if (error instanceof CertificateError) return fail('pck/chain-malformed', expected, error.observed)
    throw error
  }
}

function readMachine(pck: Certificate): Finding<{ readonly machine: SgxExtensions }> {
  const expected = msg('a machine’s PPID, PCEID, FMSPC and TCB')
  try {
    const machine = readSgxExtensions(pck)
    return passed(expected, `FMSPC ${machine.fmspc}, PCEID ${machine.pceId}`, { machine })
  } catch (error) {
    if (error instanceof CertificateError) return fail('pck/malformed', expected, error.observed)
    throw error
  }
}
