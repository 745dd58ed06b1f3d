import type { Proof, TrustRoot } from '../shared/proof.ts'
import { isJsonObject, parseStrictJson, type JsonValue } from '../shared/strict-json.ts'
import type { Verdict } from '../shared/verdict.ts'

/** The differences between a proof file and this installation. They don't change the verdict. */
export interface ProofDifferences {
  readonly policy: readonly { readonly path: string; readonly file?: JsonValue; readonly here?: JsonValue }[]
  readonly rootsOnlyInFile: readonly TrustRoot[]
  readonly rootsOnlyHere: readonly TrustRoot[]
  /** The verdict in the file is about other evidence than the file holds. */
  readonly otherEvidence: boolean
}

/**
 * Policies are compared member by member, roots by their SHA-256. `here` is what this installation judges by,
 * and the verdict that it came to.
 */
export function differencesOf(
  proof: Proof,
  here: { policy: object; roots: readonly TrustRoot[]; verdict: Verdict },
): ProofDifferences {
  const without = (roots: readonly TrustRoot[], others: readonly TrustRoot[]) =>
    roots.filter(({ sha256 }) => !others.some((other) => other.sha256 === sha256))
  return {
    policy: policyDifferences('', asJson(proof.policy), asJson(here.policy)),
    rootsOnlyInFile: without(proof.trust.roots, here.roots),
    rootsOnlyHere: without(here.roots, proof.trust.roots),
    otherEvidence: proof.verdict.evidenceDigest !== here.verdict.evidenceDigest,
  }
}

function policyDifferences(
  path: string,
  file: JsonValue | undefined,
  here: JsonValue | undefined,
): ProofDifferences['policy'] {
  if (isJsonObject(file) && isJsonObject(here)) {
    const names = [...new Set([...Object.keys(file), ...Object.keys(here)])].sort()
    return names.flatMap((name) =>
      policyDifferences(path === '' ? name : `${path}.${name}`, file[name], here[name]),
    )
  }
  if (JSON.stringify(file) === JSON.stringify(here)) return []
  return [{ path, ...(file !== undefined && { file }), ...(here !== undefined && { here }) }]
}

function asJson(value: object): JsonValue {
  return parseStrictJson(JSON.stringify(value))
}
