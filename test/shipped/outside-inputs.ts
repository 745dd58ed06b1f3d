import ts from 'typescript'
import { sourcePath } from './program.ts'

/** A place where outside code could pass something in: a parameter, or a member of a parameter, by its path. */
export interface FoundInput {
  readonly path: string
  readonly what: 'roots' | 'clock'
}

/** Names of roots of trust that are text or bytes. */
const ROOTS =
  /^(?:trust|trusted|roots?|anchors?|cas?|pem|der)$|(?:Trust|TrustSet|Roots?|Anchors?|Certificates?|Pem|Der)$/
/** Names of the time. */
const CLOCK = /^(?:now|clock|today|time|date|at|asOf|when|currentTime|verificationTime)$/

export function isRootsName(name: string): boolean {
  return ROOTS.test(name)
}

export function isClockName(name: string): boolean {
  return CLOCK.test(name)
}

/**
 * Objects that are created in this process and passed around, by name and declaring file. The sandbox has its own
 * roots. The contract client takes only inputs of the contract, each of which is checked separately. Its answers,
 * jobs included, contain past times.
 */
export const HANDLES: Readonly<Record<string, string>> = {
  Sandbox: 'sandbox/sandbox.ts',
  ContractClient: 'cli/client.ts',
  Job: 'shared/job.ts',
  WindowSessions: 'core/gateway/callers/window-sessions.ts',
}

/**
 * Walks the types of function parameters, and finds roots and clocks by type and by name. Roots are a `TrustSet`, and
 * text or bytes named like roots. Clocks are a `Date`, a number named like a time, and a function without parameters
 * that returns a number. If a callback is passed in, its return type is walked. If an object is returned, the
 * parameters of its methods are walked.
 */
export class TakenWalk {
  private readonly checker: ts.TypeChecker
  private readonly seen = new Set<string>()
  private readonly found: FoundInput[] = []

  constructor(checker: ts.TypeChecker) {
    this.checker = checker
  }

  /** Finds the parameters of an exported symbol, called or constructed, and of the methods of its results. */
  ofExport(symbol: ts.Symbol): readonly FoundInput[] {
    const target =
      (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? this.checker.getAliasedSymbol(symbol) : symbol
    const declaration = target.valueDeclaration
    if (declaration) this.walkOutput(this.checker.getTypeOfSymbolAtLocation(target, declaration), symbol.name)
    return this.found
  }

  /** Finds the parameters of an exported interface's methods. */
  ofInterface(symbol: ts.Symbol): readonly FoundInput[] {
    this.walkOutput(this.checker.getDeclaredTypeOfSymbol(symbol), symbol.name)
    return this.found
  }

  /** Walks a type that our code returns: the outside passes its parameters. */
  private walkOutput(type: ts.Type, path: string): void {
    if (this.wasSeen('given', type)) return
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      for (const parameter of signature.getParameters()) this.handed(parameter, `${path}(${parameter.name})`)
      this.walkOutput(signature.getReturnType(), `${path}()`)
    }
    for (const part of this.partsOf(type)) this.walkOutput(part, path)
    for (const property of this.propertiesOf(type))
      this.walkOutput(this.typeOf(property), `${path}.${property.name}`)
  }

  /**
   * Walks a parameter, or a member of one. A computed type has no symbol of its own, so it is recognized by how it
   * is written there.
   */
  private handed(symbol: ts.Symbol, path: string): void {
    const declaration = symbol.valueDeclaration
    const written =
      declaration && (ts.isParameter(declaration) || ts.isPropertySignature(declaration))
        ? declaration.type
        : undefined
    const named =
      written && ts.isTypeReferenceNode(written)
        ? this.checker.getSymbolAtLocation(written.typeName)
        : undefined
    if (
      named &&
      isHandle((named.flags & ts.SymbolFlags.Alias) !== 0 ? this.checker.getAliasedSymbol(named) : named)
    )
      return
    this.walkInput(this.typeOf(symbol), path, symbol.name)
  }

  /** Walks a type that our code receives. */
  private walkInput(type: ts.Type, path: string, name: string): void {
    const [what] = (type.isUnion() ? type.types : [type]).flatMap(
      (part) => this.classifyType(part, name) ?? [],
    )
    if (what) {
      this.found.push({ path, what })
      return
    }
    if (isHandle(type.aliasSymbol ?? type.getSymbol()) || this.wasSeen(`taken ${name}`, type)) return
    for (const signature of type.getCallSignatures()) {
      this.walkInput(signature.getReturnType(), `${path}()`, name)
      for (const parameter of signature.getParameters())
        this.walkOutput(this.typeOf(parameter), `${path}(${parameter.name})`)
    }
    for (const part of this.partsOf(type)) this.walkInput(part, path, name)
    for (const property of this.propertiesOf(type)) this.handed(property, `${path}.${property.name}`)
  }

  private classifyType(type: ts.Type, name: string): FoundInput['what'] | undefined {
    const named = nameOf(type)
    if (named === 'TrustSet') return 'roots'
    if (named === 'Date') return 'clock'
    const isTextOrBytes =
      (type.flags & ts.TypeFlags.String) !== 0 || /^(?:Uint8Array|Buffer|ArrayBuffer)$/.test(named ?? '')
    if (isTextOrBytes && isRootsName(name)) return 'roots'
    if ((type.flags & (ts.TypeFlags.Number | ts.TypeFlags.String)) !== 0 && isClockName(name)) return 'clock'
    const clock = type
      .getCallSignatures()
      .some(
        (signature) =>
          signature.getParameters().length === 0 &&
          (signature.getReturnType().flags & ts.TypeFlags.Number) !== 0,
      )
    return clock ? 'clock' : undefined
  }

  private typeOf(symbol: ts.Symbol): ts.Type {
    return this.checker.getTypeOfSymbol(symbol)
  }

  /** The parts of unions and intersections, and the type arguments of arrays, promises and the like. */
  private partsOf(type: ts.Type): readonly ts.Type[] {
    if (type.isUnionOrIntersection()) return type.types
    const isReference =
      (type.flags & ts.TypeFlags.Object) !== 0 &&
      ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0
    return isReference ? this.checker.getTypeArguments(type as ts.TypeReference) : []
  }

  /** Only properties that this project declares, because the members of a library's types are not ours. */
  private propertiesOf(type: ts.Type): readonly ts.Symbol[] {
    if ((type.flags & ts.TypeFlags.Object) === 0) return []
    return this.checker
      .getPropertiesOfType(type)
      .filter(({ declarations }) =>
        declarations?.some((declaration) => sourcePath(declaration.getSourceFile()) !== undefined),
      )
  }

  private wasSeen(how: string, type: ts.Type): boolean {
    const key = `${how} ${String((type as ts.Type & { readonly id: number }).id)}`
    const seen = this.seen.has(key)
    this.seen.add(key)
    return seen
  }
}

function isHandle(symbol: ts.Symbol | undefined): boolean {
  const file = symbol?.declarations?.[0]?.getSourceFile()
  return (
    symbol !== undefined &&
    file !== undefined &&
    sourcePath(file) !== undefined &&
    sourcePath(file) === HANDLES[symbol.name]
  )
}

function nameOf(type: ts.Type): string | undefined {
  return (type.aliasSymbol ?? type.getSymbol())?.name
}
