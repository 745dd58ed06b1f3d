export {
  hasExactNumbers,
  isJsonObject,
  parseStrictJson,
  StrictJsonError,
  type JsonObject,
  type JsonValue,
  type StrictJsonFault,
} from '../verifier/types.ts'
