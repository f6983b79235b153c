// Colours of scales and categories, in one texture: two rows.
import * as THREE from 'three';

// Viridis (S. van der Walt, N. Smith, 2015) and a diverging blue to red by a few stops, joined by straight lines.
const SCALE = ['#440154', '#482878', '#3e4989', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58', '#b5de2b', '#fde725'];
const SIGNED = ['#2a4f9e', '#5b8ac6', '#a6c4e1', '#efefef', '#efb594', '#d46c4e', '#9e2a2b'];
const CATEGORIES = ['#4e79a7', '#f28e2b', '#59a14f', '#e15759', '#76b7b2', '#edc948', '#b07aa1', '#ff9da7',
                    '#9c755f', '#86bcb6', '#8cd17d', '#d37295', '#a0cbe8', '#ffbe7d', '#b6992d', '#499894'];

function stops(colours: string[], x: number): [number, number, number] {
  const at = x * (colours.length - 1), i = Math.min(Math.floor(at), colours.length - 2);
  const a = new THREE.Color().setStyle(colours[i], THREE.LinearSRGBColorSpace);
  const b = new THREE.Color().setStyle(colours[i + 1], THREE.LinearSRGBColorSpace);
  a.lerp(b, at - i);
  return [a.r, a.g, a.b];
}

export function scaleColour(x: number, signed: boolean): string {
  const [r, g, b] = stops(signed ? SIGNED : SCALE, Math.min(1, Math.max(0, x)));
  return `rgb(${Math.round(255 * r)}, ${Math.round(255 * g)}, ${Math.round(255 * b)})`;
}

export function categoryColour(i: number): string {
  return CATEGORIES[((i % 16) + 16) % 16];
}

/** The lower row is the scale, the upper one 16 categories. */
export function paletteTexture(signed: boolean): THREE.DataTexture {
  const data = new Uint8Array(2 * 256 * 4);
  for (let i = 0; i < 256; i++) {
    const upper = stops([categoryColour(i >> 4), categoryColour(i >> 4)], 0);
    [stops(signed ? SIGNED : SCALE, i / 255), upper].forEach((colour, row) => {
      colour.forEach((part, k) => (data[4 * (256 * row + i) + k] = Math.round(255 * part)));
      data[4 * (256 * row + i) + 3] = 255;
    });
  }
  const texture = new THREE.DataTexture(data, 256, 2);
  texture.needsUpdate = true;
  return texture;
}
