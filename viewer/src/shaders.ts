// Bodies keep their geometry; where they are is in textures with one texel per row of the model. A frame is three uploads.
import * as THREE from 'three';

const COMMON = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D placeMap, turnMap, valueMap;
uniform int span;
uniform mat4 modelViewMatrix, projectionMatrix;
ivec2 texel(float row) { int i = int(row + 0.5); return ivec2(i % span, i / span); }
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
`;

const COLOUR = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D palette;
uniform vec2 range;
uniform int colouring; // 0 none, 1 a scale, 2 categories
uniform vec3 bodyColour, wallColour;
uniform vec4 clip;
uniform float picked;
uniform int picking;
uniform float alpha;
uniform int flatPicture;
uniform float leastCover; // of a pixel, to be drawn: a half, or any where edges are smooth
out vec4 outColour;
vec3 scaleColour(sampler2D scale, float share) {
  return texture(scale, vec2((clamp(share, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.25)).rgb;
}
vec3 colourOf(float value, float kind) {
  vec3 plain = kind > 1.5 ? wallColour : bodyColour;
  if (colouring == 0 || value < -1e38) return plain;
  if (colouring == 2) return texture(palette, vec2((mod(value, 16.0) + 0.5) / 16.0, 0.75)).rgb;
  return scaleColour(palette, (value - range.x) / max(range.y - range.x, 1e-30));
}
vec4 idColour(float row) {
  float id = row + 1.0;
  return vec4(mod(id, 256.0), mod(floor(id / 256.0), 256.0), floor(id / 65536.0), 255.0) / 255.0;
}
vec3 lit(vec3 colour, vec3 normal) {
  float light = 0.45 + 0.55 * clamp(dot(normal, normalize(vec3(0.3, 0.5, 0.8))), 0.0, 1.0);
  return colour * light;
}
vec3 unturned(vec4 q, vec3 v) { vec3 p = -q.xyz; return v + 2.0 * cross(p, cross(p, v) + q.w * v); }
// Octants of a ball in two shades: turning can be seen.
vec3 octants(vec3 colour, vec4 turn, vec3 worldNormal) {
  vec3 own = unturned(turn, worldNormal);
  return own.x * own.y * own.z > 0.0 ? colour * 0.86 : colour;
}
void put(vec3 colour, float row) {
  if (picking == 1) { outColour = idColour(row); return; }
  if (abs(row - picked) < 0.5) colour = mix(colour, vec3(1.0, 0.55, 0.0), 0.65);
  outColour = vec4(colour, alpha);
}
// The part of a pixel within an edge that is so many times its width away: smooth edges.
float cover(float inside, float pixel) { return pixel > 0.0 ? clamp(inside / pixel + 0.5, 0.0, 1.0) : 1.0; }
`;

const SURFACE_VERTEX = COMMON + /* glsl */ `
in vec3 position;
in float row;
out vec3 viewPlace, worldPlace;
flat out float vRow, vKind, vValue;
void main() {
  vec4 place = texelFetch(placeMap, texel(row), 0);
  vRow = row; vKind = place.w;
  vValue = texelFetch(valueMap, texel(row), 0).r;
  worldPlace = place.xyz + turned(texelFetch(turnMap, texel(row), 0), position);
  viewPlace = (modelViewMatrix * vec4(worldPlace, 1.0)).xyz;
  gl_Position = place.w < 0.5 ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * vec4(viewPlace, 1.0);
}`;

const SURFACE_FRAGMENT = COLOUR + /* glsl */ `
in vec3 viewPlace, worldPlace;
flat in float vRow, vKind, vValue;
void main() {
  if (dot(clip.xyz, worldPlace) > clip.w) discard;
  vec3 colour = colourOf(vValue, vKind);
  if (flatPicture == 0) {
    vec3 normal = normalize(cross(dFdx(viewPlace), dFdy(viewPlace)));
    colour = lit(colour, normal.z < 0.0 ? -normal : normal);
  }
  put(colour, vRow);
}`;

// A quad that covers the ball; each of its points asks where the ray through it meets the ball.
const BALL_VERTEX = COMMON + /* glsl */ `
in vec3 position;
in float row, radius;
uniform int orthographic;
out vec3 viewPlace, centre;
out vec2 corner;
flat out float vRow, vKind, vValue, vRadius;
flat out vec4 vTurn;
flat out vec3 worldCentre;
void main() {
  vec4 place = texelFetch(placeMap, texel(row), 0);
  vRow = row; vKind = place.w; vRadius = radius; corner = position.xy;
  vTurn = texelFetch(turnMap, texel(row), 0);
  vValue = texelFetch(valueMap, texel(row), 0).r;
  worldCentre = place.xyz;
  centre = (modelViewMatrix * vec4(place.xyz, 1.0)).xyz;
  vec3 away = orthographic == 1 ? vec3(0.0, 0.0, -1.0) : normalize(centre);
  vec3 x = normalize(cross(away, vec3(0.0, 1.0, 0.0)) + vec3(1e-6, 0.0, 0.0)), y = cross(x, away);
  float d2 = dot(centre, centre);
  float size = orthographic == 1 ? radius : radius * sqrt(d2 / max(d2 - radius * radius, 0.01 * d2));
  viewPlace = centre + size * (position.x * x + position.y * y);
  gl_Position = place.w < 0.5 ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * vec4(viewPlace, 1.0);
}`;

const BALL_FRAGMENT = COLOUR + /* glsl */ `
uniform mat4 projectionMatrix, viewMatrix;
uniform int orthographic;
in vec3 viewPlace, centre;
in vec2 corner;
flat in float vRow, vKind, vValue, vRadius;
flat in vec4 vTurn;
flat in vec3 worldCentre;
void main() {
  vec3 colour = colourOf(vValue, vKind);
  if (flatPicture == 1) {
    float r = length(corner), pixel = max(fwidth(corner.x), fwidth(corner.y)), part = cover(1.0 - r, pixel);
    if (part < leastCover || dot(clip.xyz, worldCentre) > clip.w) discard;
    vec2 own = unturned(vTurn, vec3(corner, 0.0)).xy;
    float width = max(1.2 * pixel, 0.02);
    float dark = max(cover(r - 1.0 + width, pixel), min(cover(0.5 * width - abs(own.y), pixel), cover(own.x, pixel)));
    gl_FragDepth = gl_FragCoord.z;
    put(colour * mix(1.0, 0.45, dark), vRow);
    if (picking == 0) outColour.a *= part;
    return;
  }
  vec3 from = orthographic == 1 ? vec3(viewPlace.xy, 0.0) : vec3(0.0);
  vec3 ray = orthographic == 1 ? vec3(0.0, 0.0, -1.0) : normalize(viewPlace);
  vec3 arm = centre - from;
  float along = dot(arm, ray), aside = sqrt(max(dot(arm, arm) - along * along, 0.0)), d2 = vRadius * vRadius - aside * aside;
  float part = cover(vRadius - aside, fwidth(aside));
  if (part < leastCover) discard;
  vec3 hit = from + (along - sqrt(max(d2, 0.0))) * ray;
  vec3 normal = (hit - centre) / vRadius;
  vec3 worldNormal = (vec4(normal, 0.0) * viewMatrix).xyz;
  if (dot(clip.xyz, worldCentre + vRadius * worldNormal) > clip.w) discard;
  vec4 clipPlace = projectionMatrix * vec4(hit, 1.0);
  gl_FragDepth = 0.5 * clipPlace.z / clipPlace.w + 0.5;
  put(lit(octants(colour, vTurn, worldNormal), normal), vRow);
  if (picking == 0) outColour.a *= part;
}`;

// Small balls: a point each, shaded as a ball but as deep as its centre. The depth of a point is known before it is shaded.
const DOT_VERTEX = COMMON + /* glsl */ `
in vec3 position;
in float row, radius;
uniform vec2 viewport;
uniform float pixelRatio;
flat out vec3 worldCentre;
flat out float vRow, vKind, vValue;
flat out vec4 vTurn;
void main() {
  vec4 place = texelFetch(placeMap, texel(row), 0);
  vRow = row; vKind = place.w;
  vTurn = texelFetch(turnMap, texel(row), 0);
  vValue = texelFetch(valueMap, texel(row), 0).r;
  worldCentre = place.xyz;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(place.xyz, 1.0);
  gl_PointSize = max(1.0, pixelRatio * viewport.y * radius * projectionMatrix[1][1] / gl_Position.w);
  if (place.w < 0.5) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const DOT_FRAGMENT = COLOUR + /* glsl */ `
uniform mat4 viewMatrix;
flat in vec3 worldCentre;
flat in float vRow, vKind, vValue;
flat in vec4 vTurn;
void main() {
  vec2 x = vec2(2.0, -2.0) * gl_PointCoord + vec2(-1.0, 1.0);
  float r2 = dot(x, x);
  if (r2 > 1.0 || dot(clip.xyz, worldCentre) > clip.w) discard;
  vec3 normal = vec3(x, sqrt(1.0 - r2)), colour = colourOf(vValue, vKind);
  put(lit(octants(colour, vTurn, (vec4(normal, 0.0) * viewMatrix).xyz), normal), vRow);
}`;

const MESH_VERTEX = COMMON + /* glsl */ `
in vec3 position, displacement;
in float value;
uniform float magnify;
out vec3 viewPlace, worldPlace;
out float vValue;
void main() {
  vValue = value;
  worldPlace = position + magnify * displacement;
  viewPlace = (modelViewMatrix * vec4(worldPlace, 1.0)).xyz;
  gl_Position = projectionMatrix * vec4(viewPlace, 1.0);
}`;

const MESH_FRAGMENT = COLOUR + /* glsl */ `
in vec3 viewPlace, worldPlace;
in float vValue;
void main() {
  if (dot(clip.xyz, worldPlace) > clip.w) discard;
  vec3 colour = colourOf(colouring == 2 ? floor(vValue + 0.5) : vValue, 1.0);
  if (flatPicture == 0) {
    vec3 normal = normalize(cross(dFdx(viewPlace), dFdy(viewPlace)));
    colour = lit(colour, normal.z < 0.0 ? -normal : normal);
  }
  if (picking == 1) { outColour = vec4(1.0, 1.0, 1.0, 1.0); return; }
  outColour = vec4(colour, alpha);
}`;

const LINE_FRAGMENT = COLOUR + /* glsl */ `
in vec3 viewPlace, worldPlace;
uniform vec3 ink;
void main() {
  if (dot(clip.xyz, worldPlace) > clip.w) discard;
  outColour = vec4(ink, alpha);
}`;

const LINE_VERTEX = COMMON + /* glsl */ `
in vec3 position;
out vec3 viewPlace, worldPlace;
void main() {
  worldPlace = position;
  viewPlace = (modelViewMatrix * vec4(position, 1.0)).xyz;
  gl_Position = projectionMatrix * vec4(viewPlace, 1.0);
}`;

// A line of the world, as wide as its force, turned to the eye.
const CHAIN_VERTEX = COMMON + /* glsl */ `
in vec3 position;
in vec3 from, to;
in vec3 load; // size of the impulse, status, 1 for a line about its contact along the force
uniform float strongest, width, threshold, reach;
uniform int orthographic;
out vec3 worldPlace;
flat out float vStatus, vShare;
void main() {
  vStatus = load.y;
  vShare = load.x / max(strongest, 1e-30);
  vec3 arm = 0.5 * reach * clamp(vShare, 0.02, 1.5) * (to - from);
  vec3 begin = load.z > 0.5 ? from - arm : from, end = load.z > 0.5 ? from + arm : to;
  worldPlace = mix(begin, end, position.y);
  vec3 a = (modelViewMatrix * vec4(begin, 1.0)).xyz, b = (modelViewMatrix * vec4(end, 1.0)).xyz;
  vec3 at = mix(a, b, position.y);
  vec3 eye = orthographic == 1 ? vec3(0.0, 0.0, 1.0) : -normalize(at);
  vec3 side = cross(b - a, eye);
  at += side / max(length(side), 1e-30) * position.x * 0.5 * width * clamp(vShare, 0.02, 1.5);
  gl_Position = vShare < threshold ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * vec4(at, 1.0);
}`;

const CHAIN_FRAGMENT = COLOUR + /* glsl */ `
in vec3 worldPlace;
flat in float vStatus, vShare;
uniform vec3 stick, slide;
void main() {
  if (dot(clip.xyz, worldPlace) > clip.w) discard;
  outColour = vec4(vStatus > 2.5 ? slide : stick, alpha);
}`;

// A contact: a disk of so many pixels, or a line along its normal.
const CONTACT_VERTEX = COMMON + /* glsl */ `
in vec3 position;
in vec3 point, normal;
in vec2 state; // status; what its colour shows, none: its status
uniform vec2 viewport;
uniform float pixels, reach;
uniform int showOpen;
out vec2 corner;
flat out float vStatus, vValue;
out vec3 worldPlace;
void main() {
  corner = position.xy;
  vStatus = state.x;
  vValue = state.y;
  worldPlace = point + reach * position.z * normal;
  vec4 at = projectionMatrix * modelViewMatrix * vec4(worldPlace, 1.0);
  at.xy += position.xy * pixels / viewport * at.w;
  bool hidden = showOpen == 0 && state.x < 1.5;
  gl_Position = hidden ? vec4(2.0, 2.0, 2.0, 1.0) : at;
}`;

const CONTACT_FRAGMENT = COLOUR + /* glsl */ `
in vec2 corner;
in vec3 worldPlace;
flat in float vStatus, vValue;
uniform vec3 stick, slide, open;
uniform float largest, hole; // hole: inner radius of a ring, 0 for disks
uniform sampler2D contactScale;
void main() {
  float r = length(corner), pixel = max(fwidth(corner.x), fwidth(corner.y)), part = cover(1.0 - r, pixel);
  if (hole > 0.0) part = min(part, cover(r - hole, pixel));
  if (part <= 0.0 || dot(clip.xyz, worldPlace) > clip.w) discard;
  vec3 colour = vStatus > 2.5 ? slide : vStatus > 1.5 ? stick : open;
  if (vValue > -1e38) colour = scaleColour(contactScale, vValue / max(largest, 1e-30));
  outColour = vec4(colour, alpha * part);
}`;

export type Uniforms = Record<string, THREE.IUniform>;

const programs = {
  surface: [SURFACE_VERTEX, SURFACE_FRAGMENT],
  surfaceLine: [SURFACE_VERTEX, LINE_FRAGMENT],
  ball: [BALL_VERTEX, BALL_FRAGMENT],
  dot: [DOT_VERTEX, DOT_FRAGMENT],
  mesh: [MESH_VERTEX, MESH_FRAGMENT],
  line: [LINE_VERTEX, LINE_FRAGMENT],
  meshLine: [MESH_VERTEX, LINE_FRAGMENT],
  chain: [CHAIN_VERTEX, CHAIN_FRAGMENT],
  contact: [CONTACT_VERTEX, CONTACT_FRAGMENT],
} as const;

/** `shared` uniforms are the same objects in every material; `own` belong to this one. */
export function material(kind: keyof typeof programs, shared: Uniforms, own: Uniforms = {},
                         options: Partial<THREE.ShaderMaterialParameters> = {}): THREE.RawShaderMaterial {
  const [vertexShader, fragmentShader] = programs[kind];
  const uniforms = { alpha: { value: 1 }, ...own };
  const made = new THREE.RawShaderMaterial({ glslVersion: THREE.GLSL3, vertexShader, fragmentShader, uniforms, ...options });
  Object.assign(made.uniforms, shared);
  return made;
}
