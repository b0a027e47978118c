typedef T {
	byte a;
	c_decl_IS { int hidden; }
	byte b
}
byte total;
