import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PcsResponse } from '../../../src/verifier/collateral.ts'
import { CollateralError, readIntelCollateral } from '../../../src/verifier/tdx/index.ts'
import { pcsResponses } from './real-tdx.ts'

const answers = {
  tcbInfo: Buffer.from('tcb'),
  tcbInfoChain: 'signer of +%20 levels\n',
  qeIdentity: Buffer.from('qe'),
  qeIdentityChain: 'signer of identities',
  pckCrl: Buffer.from('pck'),
  rootCrl: Buffer.from('root'),
}
const responses = pcsResponses(answers)
const expected = {
  tcbInfo: { body: answers.tcbInfo, issuerChain: answers.tcbInfoChain },
  qeIdentity: { body: answers.qeIdentity, issuerChain: answers.qeIdentityChain },
  pckCrl: answers.pckCrl,
  rootCrl: answers.rootCrl,
}
const changed = (index: number, change: Partial<PcsResponse>) =>
  responses.map((response, at) => (at === index ? { ...response, ...change } : response))

describe('Intel’s responses', () => {
  it('are recognized by their address, in any order, with any query', () => {
    expect(readIntelCollateral(responses)).toEqual(expected)
    expect(readIntelCollateral(responses.toReversed())).toEqual(expected)
    const url = 'https://api.trustedservices.intel.com/tdx/certification/v4/tcb'
    for (const query of ['', '?', '?fmspc=00906ED50000&tcbEvaluationDataNumber=19', '?a?b'])
      expect(readIntelCollateral(changed(0, { url: `${url}${query}` }))).toEqual(expected)
  })

  it('have their chains in headers, whose names ignore case', () => {
    for (const name of ['tcb-info-issuer-chain', 'TCB-INFO-ISSUER-CHAIN', 'Tcb-Info-Issuer-Chain']) {
      expect(
        readIntelCollateral(
          changed(0, { headers: { [name]: encodeURIComponent(answers.tcbInfoChain), Date: '%' } }),
        ),
      ).toEqual(expected)
    }
  })

  it('to other requests are ignored', () => {
    const other = {
      url: 'https://api.trustedservices.intel.com/sgx/certification/v4/tcb',
      headers: {},
      body: Buffer.alloc(0),
    }
    expect(readIntelCollateral([other, ...responses, other])).toEqual(expected)
  })

  it.each<[string, readonly PcsResponse[]]>([
    ['none', []],
    ['one of a part twice', [...responses, ...responses.slice(0, 1)]],
    [
      'one of a part twice under another query',
      [...responses, { ...responses[0], url: `${String(responses[0]?.url)}&x=1` } as PcsResponse],
    ],
    [
      'another host',
      changed(0, { url: 'https://api.trustedservices.intel.com.evil.test/tdx/certification/v4/tcb' }),
    ],
    [
      'another scheme',
      changed(3, { url: 'http://certificates.trustedservices.intel.com/IntelSGXRootCA.der' }),
    ],
    [
      'a path that ends so',
      changed(0, { url: 'https://evil.test/https://api.trustedservices.intel.com/tdx/certification/v4/tcb' }),
    ],
    [
      'another version',
      changed(0, { url: 'https://api.trustedservices.intel.com/tdx/certification/v3/tcb' }),
    ],
    ['no chain', changed(0, { headers: {} })],
    ['a chain of another answer', changed(0, { headers: { 'SGX-Enclave-Identity-Issuer-Chain': 'x' } })],
    ['two chains', changed(0, { headers: { 'TCB-Info-Issuer-Chain': 'x', 'tcb-info-issuer-chain': 'y' } })],
    [
      'a chain that isn’t percent-encoded',
      changed(1, { headers: { 'SGX-Enclave-Identity-Issuer-Chain': '%E0%A4%A' } }),
    ],
    [
      'a chain that is too long',
      changed(1, { headers: { 'SGX-Enclave-Identity-Issuer-Chain': 'x'.repeat(16 * 1024 + 1) } }),
    ],
    ['a body that is too large', changed(2, { body: Buffer.alloc(128 * 1024 + 1) })],
  ])('are refused with %s', (_, input) => {
    expect(() => readIntelCollateral(input)).toThrow(CollateralError)
  })

  it('of any content are read or refused', () => {
    const url = fc.oneof(
      fc.constantFrom(...responses.map((response) => response.url)),
      fc.webUrl(),
      fc.string(),
    )
    const headers = fc.dictionary(
      fc.oneof(fc.constantFrom('TCB-Info-Issuer-Chain', 'SGX-Enclave-Identity-Issuer-Chain'), fc.string()),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(fc.record({ url, headers, body: fc.uint8Array() })), (input) => {
        try {
          readIntelCollateral(input)
        } catch (error) {
          expect(error).toBeInstanceOf(CollateralError)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
