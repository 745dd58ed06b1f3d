import type { AttestationCode } from '../codes.ts'
import type { CollateralName, CollateralRecord, TrustSet } from '../contract.ts'
import type { SevProduct } from '../policy.ts'
import { msg } from '../message.ts'
import { listOf, newestFirst, readKnownList, recordOf, type RevocationList } from '../newest-list.ts'
import type { SeenCollateral } from '../seen-collateral.ts'
import { fail, notChecked, passed, type Finding } from '../steps.ts'
import { isoTime, type Text } from '../text.ts'
import {
  CertificateError,
  verifyCrl,
  listsSerial,
  parseCrl,
  type Certificate,
  type CertifiedKey,
} from '../x509/index.ts'
import { algorithmFault, verifyRoot } from './chain.ts'

const amdListName = (product: SevProduct): CollateralName => `amd-crl/${product}`

export interface RevocationInput {
  readonly product: SevProduct
  readonly root: CertifiedKey
  readonly intermediate: CertifiedKey
  readonly vcek: Certificate
  /** DER of the list in the evidence. */
  readonly evidence: Uint8Array | undefined
  /** DER of the list that ships with Sotto. */
  readonly shipped: Uint8Array | undefined
  readonly seen: SeenCollateral | undefined
  /** Unix ms. */
  readonly now: number
}

export interface ListInForce {
  /** Unix ms: when the list that passed the step expires. Absent if no list is in force. */
  readonly listEnds?: number
}

/**
 * Verifies that AMD hasn't revoked a chain (AMD 57230, "VCEK CRL"). The root signs one list per product,
 * which names the intermediate and chips alike.
 *
 * The list of the evidence must be valid independently. The newest of three lists then decides what is
 * revoked, even after it expires: the evidence's, the one known before, and the shipped one. Only a list in
 * force lets the step pass.
 */
export function checkRevoked({
  product,
  root,
  intermediate,
  vcek,
  evidence,
  shipped,
  seen,
  now,
}: RevocationInput): Finding<ListInForce> {
  const expected = msg('absent from AMD’s revocation list')
  const brought = evidence && readList(evidence, root, now)
  if (brought && 'code' in brought) return fail(brought.code, expected, brought.observed)
  const known = [listOf(seen?.find(amdListName(product))), shipped].map(
    (der) => der && readKnownList(der, root, now),
  )
  const lists = newestFirst([
    brought,
    ...known.filter((list) => list && algorithmFault(list.crl) === undefined),
  ])
  const [newest] = lists
  if (!newest) return notChecked(expected, msg('the evidence contains no revocation list'), {})
  seen?.note(recordOf(amdListName(product), newest))
  if (listsSerial(newest.crl, intermediate.certificate.serialNumber))
    return fail('amd/intermediate-revoked', expected, msg('the intermediate is listed'))
  if (listsSerial(newest.crl, vcek.serialNumber))
    return fail('vcek/revoked', expected, msg('the chip is listed'))
  const current = lists.find(({ crl }) => crl.thisUpdate <= now && now <= crl.nextUpdate)
  if (!current)
    return notChecked(
      expected,
      msg(
        'the evidence contains no revocation list, and the newest known list is from {from} to {to}',
        periodOf(newest),
      ),
      {},
    )
  return passed(expected, msg('a list from {from} to {to} with neither certificate', periodOf(current)), {
    listEnds: current.crl.nextUpdate,
  })
}

type ListFault = { readonly code: AttestationCode; readonly observed: Text }

/** Reads a list that must be complete, signed by AMD and in force at `now`. */
function readList(der: Uint8Array, root: CertifiedKey, now: number): RevocationList | ListFault {
  try {
    const crl = parseCrl(der)
    const fault = algorithmFault(crl) ?? verifyCrl(crl, root, now)
    if (fault === undefined) return { der, crl }
    const period = msg('a list from {from} to {to}', periodOf({ crl }))
    if (fault === 'not-yet-valid') return { code: 'amd/crl-not-yet-valid', observed: period }
    return fault === 'expired'
      ? { code: 'amd/crl-expired', observed: period }
      : { code: 'amd/crl-invalid', observed: fault }
  } catch (error) {
    if (error instanceof CertificateError) return { code: 'amd/crl-malformed', observed: error.observed }
    throw error
  }
}

function periodOf({ crl }: Pick<RevocationList, 'crl'>): { from: string; to: string } {
  return { from: isoTime(crl.thisUpdate), to: isoTime(crl.nextUpdate) }
}

/**
 * Verifies a downloaded list of a product: AMD's root of that product signed it, and it is in force.
 *
 * @param now Unix ms
 * @returns the record to remember, or why it is refused
 */
export function readAmdList(
  der: Uint8Array,
  roots: TrustSet['amd'],
  product: SevProduct,
  now: number,
): CollateralRecord | ListFault {
  const trusted = roots[product]
  const root = trusted && verifyRoot(trusted.ark, product, now)
  if (!root || 'fault' in root)
    return { code: 'amd/root-invalid', observed: root ? root.fault : msg('no root of this product') }
  const list = readList(der, root, now)
  return 'code' in list ? list : recordOf(amdListName(product), list)
}
