// Named arrays over one buffer: docs/viewer-format.md.

export type Numbers = Float32Array | Float64Array | Int32Array | Uint8Array;

export interface PackedArray {
  name: string;
  width: number;
  count: number;
  numbers: Numbers;
}

export interface Pack {
  about: any;
  arrays: Map<string, PackedArray>;
}

const kinds = { f32: Float32Array, f64: Float64Array, i32: Int32Array, u8: Uint8Array } as const;

/** Views over the buffer: nothing is copied. */
export function readPack(buffer: ArrayBuffer): Pack {
  const head = new DataView(buffer);
  if (buffer.byteLength < 8 || head.getUint32(0, true) !== 0x31505653) throw new Error('not a pack of saltus');
  const length = head.getUint32(4, true);
  const text = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  const begin = Math.ceil((8 + length) / 8) * 8;
  const arrays = new Map<string, PackedArray>();
  for (const { name, type, width, count, at } of text.arrays) {
    const Kind = kinds[type as keyof typeof kinds];
    arrays.set(name, { name, width, count, numbers: new Kind(buffer, begin + at, count * width) });
  }
  return { about: text.about, arrays };
}

export function floats(pack: Pack, name: string): Float32Array | undefined {
  return pack.arrays.get(name)?.numbers as Float32Array | undefined;
}

export function integers(pack: Pack, name: string): Int32Array | undefined {
  return pack.arrays.get(name)?.numbers as Int32Array | undefined;
}
