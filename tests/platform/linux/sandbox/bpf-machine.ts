/** Runs a filter as the kernel does, with code of its own: an interpreter for the instructions of classic BPF that filters may have. */
export interface Call {
  readonly number: number;
  readonly architecture: number;
  readonly arguments: readonly bigint[];
}

/** @returns the verdict @throws Error for an instruction that the kernel would refuse */
export function runFilter(program: Uint8Array, call: Call): number {
  const data = callData(call);
  const code = new DataView(program.buffer, program.byteOffset, program.byteLength);
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const instruction = code.getUint16(at * 8, true);
    const value = code.getUint32(at * 8 + 4, true);
    const jump = (condition: boolean) => code.getUint8(at * 8 + (condition ? 2 : 3));
    if (instruction === 0x20) accumulator = data.getUint32(value, true);
    else if (instruction === 0x54) accumulator = (accumulator & value) >>> 0;
    else if (instruction === 0x15) at += jump(accumulator === value);
    else if (instruction === 0x25) at += jump(accumulator > value);
    else if (instruction === 0x06) return value;
    else throw new Error(`instruction ${instruction.toString(16)} at ${at}`);
  }
  throw new Error('the filter has no end');
}

function callData(call: Call): DataView {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call.number >>> 0, true);
  data.setUint32(4, call.architecture >>> 0, true);
  for (const [index, value] of call.arguments.entries())
    data.setBigUint64(16 + 8 * index, BigInt.asUintN(64, value), true);
  return data;
}
